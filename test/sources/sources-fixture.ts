/** The program with three databases, two of which are filled by a single import. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import { loadSchema } from '../../src/engine/index.js';
import { push } from '../../src/workers/tasks/ddl.js';
import {
  createThrowawayDatabase,
  makeTemporaryDirectory,
  withClient,
} from '../support/embedded.js';
import { ask, type Answer, post, type Program, startProgram } from '../support/program.js';
import type { MariadbDatabase } from '../support/mariadb.js';
import { connectionUrl, createSampleDatabase } from '../support/sample.js';
import { twoSourcesDocument } from './two-sources.js';

export interface SourcesFixture {
  readonly program: Program;
  /** The answer to the import; undefined if the databases were filled in another way. */
  readonly imported: Answer | undefined;
  execute(query: string, data?: unknown, options?: object): Promise<Answer>;
  /** The rows of an SQL query on one of the PostgreSQL databases. */
  sql(source: Database, text: string): Promise<readonly unknown[]>;
  /** The number of rows of `FROM …`. */
  count(source: Database, from: string): Promise<number>;
  stop(): Promise<void>;
}

type Database = 'catalog' | 'crm' | 'copy';

/** Drops the tables that belong to the catalog. */
const DROP_CATALOG = 'DROP TABLE Products, Categories, Suppliers CASCADE';

/**
 * Creates three databases, and starts the program with them. With `mariadb`, the catalog is that
 * database, which contains the sample.
 */
export async function startSourcesFixture(mariadb?: MariadbDatabase): Promise<SourcesFixture> {
  const folder = makeTemporaryDirectory();
  const made = {
    catalog: await createThrowawayDatabase(),
    crm: mariadb ? await createSampleDatabase() : await createThrowawayDatabase(),
    copy: await createSampleDatabase(),
  };
  const databases = {
    catalog: made.catalog.connection,
    crm: made.crm.connection,
    copy: made.copy.connection,
  };
  const document = twoSourcesDocument({
    catalog: mariadb ? mariadb.connection : connectionUrl(databases.catalog),
    catalogDialect: mariadb ? 'MariaDB' : 'PostgreSQL',
    crm: connectionUrl(databases.crm),
    copy: connectionUrl(databases.copy),
  });
  if (mariadb) await rows(databases.crm, DROP_CATALOG);
  else await pushTables(document);
  const file = join(folder, 'schema.json');
  writeFileSync(file, JSON.stringify(document));
  const program = await startProgram(['--schema', file, '--workers', '2']);
  const imported = mariadb ? undefined : await importCopy(program);
  return {
    program,
    imported,
    execute: (query, data, options) =>
      post(program, '/execute', { query, ...(data !== undefined && { data }), options }),
    sql: (source, text) => rows(databases[source], text),
    async count(source, from) {
      const text = `SELECT count(*) AS n FROM ${from}`;
      const [first] =
        mariadb && source === 'catalog'
          ? await mariadb.withClient((client) => client.query<unknown[]>(text))
          : await rows(databases[source], text);
      return Number(Object(first).n);
    },
    async stop() {
      await program.stop();
      for (const { drop } of Object.values(made)) await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function rows(connection: EmbeddedConnection, text: string): Promise<readonly unknown[]> {
  return withClient(connection, async (client) => (await client.query(text)).rows);
}

async function pushTables(document: unknown): Promise<void> {
  const schema = loadSchema(document);
  await push({ schema, dryRun: false, say: () => undefined });
}

async function importCopy(program: Program): Promise<Answer> {
  const exported = await ask(program, '/stages/copies/export');
  return post(program, '/stages/default/import', exported.text);
}
