/** The sample's own database in the embedded PostgreSQL, which keeps its tables apart from those of other schemas. */
import { writeFileSync } from 'node:fs';
import type { Connection } from '../engine/index.js';
import { connectTables, withTables } from '../workers/database/drivers.js';

const NAME = 'sample';
/** A table of the sample. */
const TABLE = 'Order Details';
/** SQLSTATE `invalid_catalog_name`: there is no such database. */
const MISSING = '3D000';

/**
 * Returns the connection to the sample's database, which is created if it is missing; then the file `mark` says that its
 * rows are still to be loaded, even if this process is killed before it has done so. In a data folder of an earlier version,
 * the sample's tables are in the database of `connection`, and stay there.
 */
export async function provideSampleDatabase(
  connection: Connection,
  mark: string,
): Promise<Connection> {
  const own = { ...connection, database: NAME };
  if (await exists(own)) return own;
  return withTables({ dialect: 'PostgreSQL', connection }, async (database) => {
    const tables = await database.readTables([]);
    if (tables.some(({ name }) => name === TABLE)) return connection;
    writeFileSync(mark, '');
    await database.execute(`CREATE DATABASE ${NAME}`);
    return own;
  });
}

async function exists(connection: Connection): Promise<boolean> {
  try {
    const database = await connectTables({ dialect: 'PostgreSQL', connection });
    await database.close();
    return true;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof Error && 'code' in cause && cause.code === MISSING) return false;
    throw error;
  }
}
