/** A database with the tables of the write cases, and a worker that uses it. */
import type pg from 'pg';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import type { DialectName } from '../../src/engine/index.js';
import { startWorker, type TestGateway } from './test-worker.js';
import { startWriteDatabase, type WriteDatabase } from './write-database.js';
import { writeDocument } from './write-schema.js';

/** The result of a query. */
export interface WriteOutcome {
  readonly answer?: unknown;
  readonly problem?: unknown;
  /** For each changed table, the rows that are removed (`-`) and those that are added (`+`). */
  readonly tables?: Readonly<Record<string, readonly string[]>>;
}

export interface WriteStage {
  readonly gateway: TestGateway;
  readonly database: WriteDatabase;
  /** Only on PostgreSQL. */
  readonly connection: EmbeddedConnection;
  readonly client: pg.Client;
  /** Stores the rows with which every case starts. */
  seed(): Promise<void>;
  /** Runs a query on these rows, and returns its result. */
  run(query: string, data: unknown): Promise<WriteOutcome>;
  stop(): Promise<void>;
}

export async function startWriteStage(dialect: DialectName = 'PostgreSQL'): Promise<WriteStage> {
  const database = await startWriteDatabase(dialect);
  const worker = startWorker(writeDocument(database.connection, dialect));
  const { gateway } = worker;
  await database.seed();
  const before = await database.readTables();
  return {
    gateway,
    database,
    get connection() {
      return postgresqlOf(database).connection;
    },
    get client() {
      return postgresqlOf(database).client;
    },
    seed: () => database.seed(),
    async run(query, data) {
      await database.seed();
      const result = await outcome(gateway, query, data);
      const changed = Object.entries(await database.readTables()).flatMap(([name, rows]) => {
        const lines = changes(before[name] ?? [], rows);
        return lines.length > 0 ? [[name, lines] as const] : [];
      });
      return changed.length === 0 ? result : { ...result, tables: Object.fromEntries(changed) };
    },
    async stop() {
      await worker.close();
      await database.stop();
    },
  };
}

function postgresqlOf({ postgresql }: WriteDatabase) {
  if (postgresql) return postgresql;
  throw new Error('This stage is not on PostgreSQL.');
}

async function outcome(gateway: TestGateway, query: string, data: unknown): Promise<WriteOutcome> {
  try {
    return { answer: JSON.parse((await gateway.execute(query, { data })).text) };
  } catch (error) {
    const problem: unknown = error instanceof Error ? Reflect.get(error, 'problem') : undefined;
    if (problem === undefined) throw error;
    return { problem };
  }
}

function changes(before: readonly string[], after: readonly string[]): string[] {
  const gone = before.filter((row) => !after.includes(row)).map((row) => `-${row}`);
  return [...gone, ...after.filter((row) => !before.includes(row)).map((row) => `+${row}`)];
}
