/** A database with all rows, served with a view, and a database without the hidden rows. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import { makeTemporaryDirectory, withClient } from '../support/embedded.js';
import { type Program, startProgram } from '../support/program.js';
import { connectionUrl, createSampleDatabase } from '../support/sample.js';
import { absentDocument, hideRows, wholeDocument } from './narrow-schema.js';

export interface ViewsFixture {
  /** Serves all rows, and the view. */
  readonly whole: Program;
  /** Serves the database without the hidden rows. */
  readonly absent: Program;
  /** The stored rows of the whole database. */
  sql(text: string): Promise<readonly unknown[]>;
  /** A digest that shows whether rows of the whole database have changed. */
  digest(table: string, where: string): Promise<unknown>;
  stop(): Promise<void>;
}

export async function startViewsFixture(): Promise<ViewsFixture> {
  const folder = makeTemporaryDirectory();
  const databases = [await createSampleDatabase(), await createSampleDatabase()] as const;
  const [all, left] = [databases[0].connection, databases[1].connection];
  await withClient(left, (client) => client.query(hideRows));
  const start = (name: string, document: unknown) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(document));
    return startProgram(['--schema', file, '--workers', '1']);
  };
  const whole = await start('whole.json', wholeDocument('PostgreSQL', connectionUrl(all)));
  const absent = await start('absent.json', absentDocument('PostgreSQL', connectionUrl(left)));
  return {
    whole,
    absent,
    sql: (text) => rowsOf(all, text),
    digest: (table, where) =>
      rowsOf(
        all,
        `SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) AS d, count(*)::int AS n
          FROM ${table} t WHERE ${where}`,
      ),
    async stop() {
      await Promise.all([whole.stop(), absent.stop()]);
      for (const { drop } of databases) await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function rowsOf(connection: EmbeddedConnection, text: string): Promise<readonly unknown[]> {
  return withClient(connection, async (client) => (await client.query(text)).rows);
}
