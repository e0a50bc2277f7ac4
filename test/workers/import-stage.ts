/** Stages with separate databases, whose tables `push` has created, for import and export. */
import type pg from 'pg';
import { parse } from 'yaml';
import { loadSchema, type Problem, type Schema } from '../../src/engine/index.js';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import { type ImportOrder, importDocument } from '../../src/workers/import/import-document.js';
import { createContext } from '../../src/workers/context.js';
import { toFailure } from '../../src/workers/problems.js';
import type { ImportCount, Imported } from '../../src/workers/protocol.js';
import { push } from '../../src/workers/tasks/ddl.js';
import { createThrowawayDatabase, withClient } from '../support/embedded.js';
import { exportDocument, type ExportToOrder } from './export-document.js';
import { settings } from './test-worker.js';
import { driverOf } from '../support/drivers.js';

export interface TestStage {
  readonly schema: Schema;
  readonly connection: EmbeddedConnection;
  /** Imports a value as JSON, a string, or chunks of bytes. Rejects with a {@link Refused}. */
  import(document: unknown, more?: Partial<ImportOrder>): Promise<readonly ImportCount[]>;
  /** Exports the stage, and returns the whole answer. */
  importAll(document: unknown, more?: Partial<ImportOrder>): Promise<Imported>;
  export(pretty?: boolean): Promise<string>;
  exportTo(write: ExportToOrder['write']): Promise<void>;
  sql(text: string): Promise<pg.QueryResultRow[]>;
  /** The number of rows of each table that has any. */
  counts(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

/** Creates a database for `schema`, whose sources are all on it. */
export async function openStage(base: Schema): Promise<TestStage> {
  const database = await createThrowawayDatabase();
  const { connection } = database;
  const schema = { ...base, sources: base.sources.map((one) => ({ ...one, connection })) };
  await push({ schema, dryRun: false, say: () => undefined });
  const context = createContext({ ...settings, schema }, driverOf);
  const { catalog, sources } = context;
  const order = { catalog, sources, stage: 'default', view: 'default', withReadOnly: false };
  const importAll: TestStage['importAll'] = (document, more) =>
    refusing(
      importDocument({
        context,
        stage: 'default',
        view: 'default',
        strict: false,
        body: bodyOf(document),
        ...more,
      }),
    );
  const sql = (text: string): Promise<pg.QueryResultRow[]> =>
    withClient(connection, async (client) => (await client.query(text)).rows);
  return {
    schema,
    connection,
    sql,
    import: async (document, more) => (await importAll(document, more)).counts,
    importAll,
    async export(pretty = false) {
      const parts: Uint8Array[] = [];
      await exportDocument({ ...order, pretty, write: (bytes) => void parts.push(bytes) });
      return Buffer.concat(parts).toString('utf8');
    },
    exportTo: (write) => exportDocument({ ...order, pretty: false, write }),
    counts: () => countRows(sql),
    async close() {
      await Promise.all(order.sources.all.map((source) => source.close()));
      await database.drop();
    },
  };
}

/** The problem of a refused import, as it is answered. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.problem = toFailure(cause).problem;
  }
}

export async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new Refused(error);
  }
}

/** A schema with entities written in YAML, and one source. */
export function schemaOf(entities: string): Schema {
  return loadSchema({
    domain: { version: '1.0.0', ...parse(entities) },
    infrastructure: {
      mappings: [{ name: 'default', entities: [] }],
      sources: [{ name: 'default', dialect: 'PostgreSQL', mapping: 'default', connection: {} }],
      stages: [{ name: 'default', sources: [{ name: 'default' }] }],
    },
  });
}

async function* bodyOf(document: unknown): AsyncGenerator<Uint8Array> {
  if (Array.isArray(document)) yield* document;
  else yield Buffer.from(typeof document === 'string' ? document : JSON.stringify(document));
}

async function countRows(sql: TestStage['sql']): Promise<Readonly<Record<string, number>>> {
  const tables = await sql(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const [row] = await sql(`SELECT count(*)::int AS rows FROM "${name}"`);
    if (row?.['rows'] > 0) counts.set(name, row?.['rows']);
  }
  return Object.fromEntries(counts);
}
