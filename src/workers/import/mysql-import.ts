/**
 * The part of an import that one source of MySQL or MariaDB takes: rows are staged in temporary
 * tables by prepared inserts of many rows, and copied in the order in which their keys are known.
 * Foreign keys wait until all are there, and are then checked at once.
 */
import {
  type Catalog,
  dependencyOrder,
  dialectOf,
  type Fields,
  invariant,
  type PropertyType,
  referencesOf,
  type Source,
} from '../../engine/index.js';
import type { Cancellation } from '../cancellation.js';
import { SourceError } from '../database/source-error.js';
import type { Statement, TransactionSession, Written } from '../database/source.js';
import { isOfRows, rowsFault } from './import-fault.js';
import * as statements from './mysql-staged-statements.js';
import type { SourceImport } from './source-import.js';
import type { StagedEntity } from './staged-entity.js';
import { type StagedRow, stagedRows } from './staged-rows.js';
import type { StagedTable } from './staged-statements.js';

/** Rows that are staged, or given keys, by one statement; a power of two. */
const ROWS_MAX = 512;
const PLACEHOLDERS_MAX = 65_535;

export interface MysqlImportSettings {
  readonly session: TransactionSession;
  readonly source: Source;
  readonly catalog: Catalog;
  readonly cancellation: Cancellation;
}

export class MysqlImport implements SourceImport {
  readonly #settings: MysqlImportSettings;
  readonly #tables = new Map<StagedEntity, StagedTable>();
  readonly #forget: () => void;

  constructor(settings: MysqlImportSettings) {
    this.#settings = settings;
    const { cancellation, session } = settings;
    this.#forget = cancellation.onCancel(() => session.cancel());
  }

  async begin(): Promise<void> {
    await this.#run(undefined, ['SET foreign_key_checks = 0']);
  }

  async send(staged: StagedEntity): Promise<void> {
    const table = await this.#tableOf(staged);
    const rows = [...stagedRows(staged.takeLines().toString())];
    const types: readonly PropertyType[] = ['integer', 'integer', 'integer', ...fieldTypes(staged)];
    for (const part of parts(rows, types.length)) {
      const text = statements.stageStatement(table, part.length);
      await this.#write(table, [manyRows(text, part, types)]);
    }
  }

  async store(): Promise<void> {
    const tables = this.#inOrder();
    let isMoving = true;
    // Each round stores what nests one level deeper.
    while (isMoving) {
      isMoving = false;
      for (const table of tables) isMoving = (await this.#storeReady(table)) || isMoving;
    }
    for (const table of tables) await this.#checkReferences(table);
  }

  async commit(): Promise<void> {
    this.#forget();
    this.#refuseCancelled();
    await this.#settings.session.commit();
  }

  async rollBack(): Promise<void> {
    this.#forget();
    await this.#settings.session.rollBack();
  }

  /** Tells whether any row was stored. */
  async #storeReady(table: StagedTable): Promise<boolean> {
    for (const nesting of table.staged.waiting) {
      // One by one: a table must be there before a statement on it can be prepared.
      for (const text of statements.parentStatements(nesting)) await this.#run(table, [text]);
    }
    const copied = await this.#run(table, [
      statements.insertStatement(table),
      statements.storedStatement(table),
    ]);
    const isMade = await this.#makeKeys(table);
    return isMade || (copied[0]?.count ?? 0) > 0;
  }

  /** Stores the ready rows that have no generated key, and keeps the keys that they get. */
  async #makeKeys(table: StagedTable): Promise<boolean> {
    const { staged } = table;
    const key = statements.generatedIndex(staged);
    if (key < 0 || staged.lacking(key) === 0) return false;
    let isMade = false;
    for (;;) {
      const text = statements.keylessStatement(table, key, ROWS_MAX);
      const [found] = await this.#run(table, [text]);
      const rows = found?.rows ?? [];
      if (rows.length === 0) return isMade;
      isMade = true;
      for (const part of parts(rows, staged.fields.length)) {
        await this.#makeKeysOf(table, key, part);
      }
    }
  }

  async #makeKeysOf(table: StagedTable, key: number, rows: readonly Fields[]): Promise<void> {
    const insert = statements.makeKeysStatement(table, key, rows.length);
    const [, made] = await this.#write(table, [
      manyRows(
        insert,
        rows.map((row) => row.slice(1)),
      ),
      plain(statements.madeKeysStatement(table, key, rows.length)),
    ]);
    const keys = made?.rows ?? [];
    invariant(keys.length === rows.length, 'a key for each row');
    const kept = rows.map((row, index) => [row[0] ?? null, keys[index]?.[0] ?? null]);
    await this.#write(table, [
      manyRows(statements.keepKeysStatement(table, key, rows.length), kept),
    ]);
  }

  /** Parents that are found stay until the end. */
  async #checkReferences(table: StagedTable): Promise<void> {
    const stored = statements.storedTable(table);
    const [found] = await this.#write(table, [
      { text: statements.REFERENCES, parameters: [stored] },
    ]);
    for (const reference of referencesIn(found?.rows ?? [])) {
      const text = statements.danglingStatement(table, reference);
      const [dangling] = text === undefined ? [] : await this.#run(table, [text]);
      if ((dangling?.rows.length ?? 0) === 0) continue;
      const { columns } = reference;
      const violation = { table: stored, columns, values: [] };
      const known = new SourceError('foreign-key-violation', { sqlstate: '23000', violation });
      throw this.#faultOf(known, table);
    }
  }

  async #tableOf(staged: StagedEntity): Promise<StagedTable> {
    const known = this.#tables.get(staged);
    if (known) return known;
    const { catalog, source } = this.#settings;
    const entity = catalog.mappingEntity(source.mapping, staged.name);
    invariant(entity, `mapping ${source.mapping} has the entity ${staged.name}`);
    const table = { staged, entity };
    await this.#run(table, [statements.createStatement(table)]);
    this.#tables.set(staged, table);
    return table;
  }

  #inOrder(): readonly StagedTable[] {
    const { catalog } = this.#settings;
    const named = [...this.#tables.values()].map((table) => ({ name: table.staged.name, table }));
    const ordered = dependencyOrder(named, ({ name }) => {
      const entity = catalog.entity(name);
      return entity ? referencesOf(entity, catalog.entity) : [];
    });
    return ordered.map(({ table }) => table);
  }

  #run(table: StagedTable | undefined, texts: readonly string[]): Promise<Written[]> {
    return this.#write(table, texts.map(plain));
  }

  async #write(table: StagedTable | undefined, round: readonly Statement[]): Promise<Written[]> {
    this.#refuseCancelled();
    const stored = table && statements.storedTable(table);
    const told = stored === undefined ? round : round.map((one) => ({ ...one, table: stored }));
    try {
      return await this.#settings.session.write(told, false);
    } catch (error) {
      throw error instanceof SourceError ? this.#faultOf(error, table) : error;
    }
  }

  #refuseCancelled(): void {
    if (this.#settings.cancellation.isCancelled) throw new SourceError('cancelled');
  }

  #faultOf(error: SourceError, table: StagedTable | undefined): Error {
    if (!table || !isOfRows(error)) return error;
    const { storedName } = dialectOf('MariaDB');
    const columns = new Set(columnsOf(error).map((column) => column.toLowerCase()));
    const properties = table.staged.fields.flatMap(({ property }, index) => {
      const mapped = table.entity.properties.find(({ name }) => name === property.name);
      const names = [`c${index}`, storedName(mapped?.mapping ?? property.name).toLowerCase()];
      return names.some((name) => columns.has(name)) ? [property.name] : [];
    });
    return rowsFault(error, { entity: table.staged.name, properties }, error);
  }
}

/** The columns at fault: those of the constraint, or the one that the message names. */
function columnsOf({ violation, cause }: SourceError): readonly string[] {
  if (violation && violation.columns.length > 0) return violation.columns;
  const message = cause instanceof Error ? cause.message : '';
  const [, column] = /\bcolumn (?:`[^`]*`\.`[^`]*`\.)?['`]([^'`]*)['`]/i.exec(message) ?? [];
  return column === undefined ? [] : [column];
}

function plain(text: string): Statement {
  return { text, parameters: [] };
}

/** The texts of rows as the parameters of one statement. */
function manyRows(
  text: string,
  rows: readonly StagedRow[],
  types?: readonly PropertyType[],
): Statement {
  const { scalar } = dialectOf('MariaDB');
  const texts = types
    ? rows.map((row) =>
        row.map((one, index) => (one === null ? null : scalar(one, types[index] ?? 'string'))),
      )
    : rows;
  const told = types && { types: rows.flatMap(() => types) };
  return { text, parameters: texts.flat(), ...told };
}

function fieldTypes({ fields }: StagedEntity): readonly PropertyType[] {
  return fields.map(({ property }) => property.type);
}

/** Parts whose sizes are powers of two, so that few texts are prepared. */
function* parts<Row>(rows: readonly Row[], width: number): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; ) {
    let size = ROWS_MAX;
    while (size > 1 && (size > rows.length - start || size * width > PLACEHOLDERS_MAX)) size /= 2;
    yield rows.slice(start, start + size);
    start += size;
  }
}

/** Rows of `REFERENCES`, put together by their constraint. */
function referencesIn(rows: readonly Fields[]): readonly statements.StoredReference[] {
  const references = new Map<string, { table: string; columns: string[]; targets: string[] }>();
  for (const [name, column, table, target] of rows) {
    const known = references.get(name ?? '') ?? { table: table ?? '', columns: [], targets: [] };
    known.columns.push(column ?? '');
    known.targets.push(target ?? '');
    references.set(name ?? '', known);
  }
  return [...references.values()];
}
