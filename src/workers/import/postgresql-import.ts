/** The part of an import that one PostgreSQL source takes: a transaction on a connection of its own. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  type Catalog,
  dependencyOrder,
  invariant,
  postgresqlDdl,
  referencesOf,
  type Source,
} from '../../engine/index.js';
import type { Cancellation } from '../cancellation.js';
import { cancelUntilAnswered, RunningStatements } from '../database/cancel-until-answered.js';
import { sendCancel } from '../database/postgresql/cancel.js';
import { SourceError } from '../database/source-error.js';
import { importFault } from './import-fault.js';
import type { SourceImport } from './source-import.js';
import type { StagedEntity } from './staged-entity.js';
import {
  copyStatement,
  createStatement,
  insertStatement,
  keyStatements,
  parentStatement,
  type StagedTable,
} from './staged-statements.js';

/** Any number will do that other programs do not lock; this spells "rowi". */
const ADVISORY_LOCK = 0x726f7769;
/** How long the server may take to hear that the import is cancelled. */
const CANCEL_MS = 2000;

export interface PostgresqlImportSettings {
  readonly client: pg.PoolClient;
  readonly source: Source;
  readonly catalog: Catalog;
  readonly cancellation: Cancellation;
}

export class PostgresqlImport implements SourceImport {
  readonly #settings: PostgresqlImportSettings;
  readonly #tables = new Map<StagedEntity, StagedTable>();
  readonly #running = new RunningStatements();
  /** The rows that are being sent. */
  #sending: Promise<void> = Promise.resolve();
  #cancelling: Promise<void> = Promise.resolve();
  #forget: () => void = () => undefined;

  constructor(settings: PostgresqlImportSettings) {
    this.#settings = settings;
  }

  async begin(): Promise<void> {
    const { cancellation, client } = this.#settings;
    this.#forget = cancellation.onCancel(() => {
      const send = () => sendCancel(client, CANCEL_MS);
      this.#cancelling = cancelUntilAnswered(send, this.#running);
    });
    await this.#run('BEGIN; SET CONSTRAINTS ALL DEFERRED');
  }

  /** Sends the waiting rows of an entity; resolves as soon as those before them have been taken. */
  async send(staged: StagedEntity): Promise<void> {
    await this.#sending;
    const table = await this.#tableOf(staged);
    const bytes = staged.takeLines();
    this.#sending = this.#copy(table, bytes);
    // Whoever sends next, or stores, hears of its failure.
    this.#sending.catch(() => undefined);
  }

  /** Stores all that was sent, what is referred to first; faults of the rows come out here. */
  async store(): Promise<void> {
    await this.#sending;
    const tables = this.#inOrder();
    await this.#run(lockStatement(this.#settings.source.name));
    for (const table of tables) await this.#runAll(keyStatements(table), table);
    const nestings = tables.flatMap(({ staged }) => [...staged.waiting]);
    nestings.sort((one, other) => one.number - other.number);
    for (const nesting of nestings) await this.#run(parentStatement(nesting));
    for (const table of tables) await this.#run(insertStatement(table), table);
    await this.#run('SET CONSTRAINTS ALL IMMEDIATE');
  }

  async commit(): Promise<void> {
    this.#forget();
    this.#refuseCancelled();
    await this.#run('COMMIT');
  }

  /** Takes everything back; rejects when the connection is not fit for others. */
  async rollBack(): Promise<void> {
    this.#forget();
    await this.#cancelling;
    await this.#sending.catch(() => undefined);
    await this.#settings.client.query('ROLLBACK');
  }

  async #tableOf(staged: StagedEntity): Promise<StagedTable> {
    const known = this.#tables.get(staged);
    if (known) return known;
    const { catalog, source } = this.#settings;
    const entity = catalog.mappingEntity(source.mapping, staged.name);
    invariant(entity, `mapping ${source.mapping} has the entity ${staged.name}`);
    const table = { staged, entity };
    await this.#run(createStatement(table), table);
    this.#tables.set(staged, table);
    return table;
  }

  async #copy(table: StagedTable, bytes: Buffer): Promise<void> {
    this.#refuseCancelled();
    try {
      const copy = this.#settings.client.query(copyFrom(copyStatement(table)));
      await this.#running.track(pipeline(Readable.from([bytes]), copy));
    } catch (error) {
      throw await this.#faultOf(error, table);
    }
  }

  #inOrder(): readonly StagedTable[] {
    const { catalog } = this.#settings;
    const tables = [...this.#tables.values()];
    const named = tables.map((table) => ({ name: table.staged.name, table }));
    const ordered = dependencyOrder(named, ({ name }) => {
      const entity = catalog.entity(name);
      return entity ? referencesOf(entity, catalog.entity) : [];
    });
    return ordered.map(({ table }) => table);
  }

  async #runAll(statements: readonly string[], table: StagedTable): Promise<void> {
    for (const statement of statements) await this.#run(statement, table);
  }

  async #run(statement: string, table?: StagedTable): Promise<void> {
    this.#refuseCancelled();
    try {
      await this.#running.track(this.#settings.client.query(statement));
    } catch (error) {
      throw await this.#faultOf(error, table);
    }
  }

  #refuseCancelled(): void {
    if (this.#settings.cancellation.isCancelled) throw new SourceError('cancelled');
  }

  async #faultOf(error: unknown, table: StagedTable | undefined): Promise<unknown> {
    const { client, source, catalog, cancellation } = this.#settings;
    if (cancellation.isCancelled) return new SourceError('cancelled', { cause: error });
    const mapping = catalog.mapping(source.mapping);
    return importFault({ error, table, client, entities: mapping?.entities ?? [] });
  }
}

/**
 * Imports into a source are stored one after the other: sequences are moved, and rows meet, in one
 * order. Two sources may be on one database, and an import of both must not wait for itself.
 */
function lockStatement(source: string): string {
  return `SELECT pg_advisory_xact_lock(${ADVISORY_LOCK}, hashtext(${postgresqlDdl.text(source)}))`;
}
