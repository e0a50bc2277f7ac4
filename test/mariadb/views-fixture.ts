/** The fixture of views on MariaDB. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { createMariadbDatabase, type MariadbDatabase } from '../support/mariadb.js';
import { fillMariadbWithSample } from '../support/mariadb-sample.js';
import { startProgram } from '../support/program.js';
import { absentDocument, deletions, wholeDocument } from '../views/narrow-schema.js';
import type { ViewsFixture } from '../views/views-fixture.js';

export async function startMariadbViews(): Promise<ViewsFixture> {
  const [all, left] = [await createMariadbDatabase(), await createMariadbDatabase()];
  await fillMariadbWithSample(all);
  await fillMariadbWithSample(left);
  await hideRows(left);
  const folder = makeTemporaryDirectory();
  const start = (name: string, document: unknown) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(document));
    return startProgram(['--schema', file, '--workers', '1']);
  };
  const whole = await start('whole.json', wholeDocument('MariaDB', all.connection));
  const absent = await start('absent.json', absentDocument('MariaDB', left.connection));
  return {
    whole,
    absent,
    sql: (text) => rowsOf(all, text),
    digest: (table, where) => rowsOf(all, `SELECT * FROM ${table} WHERE ${where} ORDER BY 1, 2`),
    async stop() {
      await Promise.all([whole.stop(), absent.stop()]);
      await Promise.all([all.drop(), left.drop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const ANSI_QUOTES = "SET SESSION sql_mode = 'ANSI_QUOTES'";

function rowsOf(database: MariadbDatabase, text: string): Promise<readonly unknown[]> {
  return database.withClient(async (client) => {
    await client.query(ANSI_QUOTES);
    const rows: unknown = await client.query(text);
    return Array.isArray(rows) ? [...rows] : [];
  });
}

const tied = `SELECT TABLE_NAME AS t, CONSTRAINT_NAME AS name FROM information_schema.REFERENTIAL_CONSTRAINTS
  WHERE CONSTRAINT_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME IN ('Products', 'Categories')`;
const unique = `SELECT TABLE_NAME AS t, CONSTRAINT_NAME AS name FROM information_schema.TABLE_CONSTRAINTS
  WHERE CONSTRAINT_SCHEMA = DATABASE() AND CONSTRAINT_TYPE = 'UNIQUE' AND TABLE_NAME = 'Suppliers'`;

/** Deletes what the view hides. */
async function hideRows({ withClient }: MariadbDatabase): Promise<void> {
  await withClient(async (client) => {
    await client.query(ANSI_QUOTES);
    for (const { t, name } of await client.query(tied)) {
      await client.query(`ALTER TABLE "${t}" DROP FOREIGN KEY "${name}"`);
    }
    for (const { t, name } of await client.query(unique)) {
      await client.query(`ALTER TABLE "${t}" DROP INDEX "${name}"`);
    }
    await client.query(deletions);
  });
}
