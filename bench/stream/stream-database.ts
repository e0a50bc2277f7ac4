/** The database of the cases that stream: a million products, 200,000 orders of 3 details each. */
import { type DatabaseConnection, withClient } from '../database.js';
import { rowgateEnvironment, rowgateProgram } from '../contestants.js';
import { runProcess } from '../run-process.js';
import { rowStatements } from '../rows.js';

const PUSH_TIMEOUT_MS = 60_000;

/** How many rows there are to stream. */
export const STREAM_ROWS = { products: 1_000_000, orders: 200_000 };

/** Rows are made much quicker where nobody looks each of their references up. */
const DROP_FOREIGN_KEYS = `
  DO $$ DECLARE each record; BEGIN
    FOR each IN SELECT conrelid::regclass AS name, conname FROM pg_constraint WHERE contype = 'f'
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.name, each.conname); END LOOP;
  END $$`;

/** A database of these cases. */
export interface StreamDatabase {
  readonly connection: DatabaseConnection;
  drop(): Promise<void>;
}

/** Makes a database beside that of the run, on the same server. */
export async function makeStreamDatabase(beside: DatabaseConnection): Promise<StreamDatabase> {
  const database = `${beside.database}_stream`;
  await withClient(beside, (client) => client.query(`CREATE DATABASE ${database}`));
  const drop = async () => {
    const statement = `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`;
    await withClient(beside, (client) => client.query(statement));
  };
  const connection = { ...beside, database };
  try {
    await fill(connection);
    return { connection, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

async function fill(connection: DatabaseConnection): Promise<void> {
  const push = { program: process.execPath, words: [rowgateProgram, 'push'] };
  const environment = rowgateEnvironment(connection);
  await runProcess({ ...push, environment }, PUSH_TIMEOUT_MS);
  await withClient(connection, async (client) => {
    for (const statement of [DROP_FOREIGN_KEYS, ...rowStatements(STREAM_ROWS)]) {
      await client.query(statement);
    }
  });
}
