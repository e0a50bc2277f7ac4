/** The program over three databases, filled by an import that spreads over two of them. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import { loadSchema } from '../../src/engine/index.js';
import { connectTables } from '../../src/workers/sources/postgresql-admin.js';
import { push } from '../../src/workers/tasks/push.js';
import {
  createThrowawayDatabase,
  makeTemporaryDirectory,
  startTestCluster,
  withClient,
} from '../support/embedded.js';
import { ask, type Answer, post, type Program, startProgram } from '../support/program.js';
import { connectionUrl, fillWithSample } from '../support/sample.js';
import { twoSourcesDocument } from './two-sources.js';

export interface SourcesFixture {
  readonly program: Program;
  /** What the import answered. */
  readonly imported: Answer;
  execute(query: string, data?: unknown, options?: object): Promise<Answer>;
  /** Rows of an SQL query on one of the databases. */
  sql(source: 'catalog' | 'crm' | 'copy', text: string): Promise<readonly unknown[]>;
  stop(): Promise<void>;
}

/** Starts a server with three databases, and the program on them. */
export async function startSourcesFixture(): Promise<SourcesFixture> {
  const cluster = await startTestCluster();
  const folder = makeTemporaryDirectory();
  const made = async () => (await createThrowawayDatabase(cluster.connection)).connection;
  const databases = { catalog: await made(), crm: await made(), copy: await made() };
  const document = twoSourcesDocument({
    catalog: connectionUrl(databases.catalog),
    crm: connectionUrl(databases.crm),
    copy: connectionUrl(databases.copy),
  });
  const schema = loadSchema(document);
  await push({ schema, connect: connectTables, dryRun: false, say: () => undefined });
  await fillWithSample(databases.copy);
  const file = join(folder, 'schema.json');
  writeFileSync(file, JSON.stringify(document));
  const program = await startProgram(['--schema', file, '--workers', '2']);
  const exported = await ask(program, '/stages/copies/export');
  const imported = await post(program, '/stages/default/import', exported.text);
  return {
    program,
    imported,
    execute: (query, data, options) =>
      post(program, '/execute', { query, ...(data !== undefined && { data }), options }),
    sql: (source, text) => rows(databases[source], text),
    async stop() {
      await program.stop();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function rows(connection: EmbeddedConnection, text: string): Promise<readonly unknown[]> {
  return withClient(connection, async (client) => (await client.query(text)).rows);
}
