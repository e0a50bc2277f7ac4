/** A database with the tables of the cases that write, and a worker on it. */
import pg from 'pg';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import { push } from '../../src/workers/tasks/push.js';
import { postgresqlTables } from '../../src/workers/sources/postgresql-tables.js';
import { startTestCluster } from '../support/embedded.js';
import { startWorker, type TestGateway } from './test-worker.js';
import { writeDocument, writeSchema, writeSeed, writeTables } from './write-schema.js';

/** What a query has done. */
export interface WriteOutcome {
  readonly answer?: unknown;
  readonly problem?: unknown;
  /** Of each table that is not as before: the rows that are gone (−) and those that have come (+). */
  readonly tables?: Readonly<Record<string, readonly string[]>>;
}

export interface WriteStage {
  readonly connection: EmbeddedConnection;
  readonly gateway: TestGateway;
  readonly client: pg.Client;
  /** Stores the rows that every case starts from. */
  seed(): Promise<void>;
  /** Runs a query on these rows, and looks at what it leaves behind. */
  run(query: string, data: unknown): Promise<WriteOutcome>;
  stop(): Promise<void>;
}

const asText = { getTypeParser: () => (value: unknown) => value };

export async function startWriteStage(): Promise<WriteStage> {
  const cluster = await startTestCluster();
  const { connection } = cluster;
  const client = new pg.Client({ ...connection, options: '-c timezone=UTC' });
  await client.connect();
  const connect = async () => {
    const own = new pg.Client(connection);
    await own.connect();
    return postgresqlTables(own);
  };
  await push({ schema: writeSchema(connection), connect, dryRun: false, say: () => undefined });
  const worker = startWorker(writeDocument(connection));
  const { gateway } = worker;
  const seed = async () => void (await client.query(writeSeed));
  await seed();
  const before = await readTables(client);
  return {
    connection,
    gateway,
    client,
    seed,
    async run(query, data) {
      await seed();
      const result = await outcome(gateway, query, data);
      const changed = Object.entries(await readTables(client)).flatMap(([name, rows]) => {
        const lines = changes(before[name] ?? [], rows);
        return lines.length > 0 ? [[name, lines] as const] : [];
      });
      return changed.length === 0 ? result : { ...result, tables: Object.fromEntries(changed) };
    },
    async stop() {
      await worker.close();
      await client.end();
      await cluster.stop();
    },
  };
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

/** Rows as texts, with the digits that the database holds. */
async function readTables(client: pg.Client): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables: [string, readonly string[]][] = [];
  for (const [name, text] of Object.entries(writeTables)) {
    const { rows } = await client.query({ text, rowMode: 'array', types: asText });
    tables.push([
      name,
      rows.map((row: readonly unknown[]) => row.map((value) => value ?? '∅').join('|')),
    ]);
  }
  return Object.fromEntries(tables);
}
