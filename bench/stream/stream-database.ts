/** The database of the cases that stream: a million products, 200,000 orders of 3 details each. */
import { type DatabaseBeside, type DatabaseConnection, makeDatabaseBeside } from '../database.js';

/** How many rows there are to stream. */
export const STREAM_ROWS = { products: 1_000_000, orders: 200_000 };

/** Rows are made much quicker where nobody looks each of their references up. */
const DROP_FOREIGN_KEYS = `
  DO $$ DECLARE each record; BEGIN
    FOR each IN SELECT conrelid::regclass AS name, conname FROM pg_constraint WHERE contype = 'f'
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.name, each.conname); END LOOP;
  END $$`;

/** Makes a database beside that of the run, on the same server. */
export function makeStreamDatabase(beside: DatabaseConnection): Promise<DatabaseBeside> {
  return makeDatabaseBeside(beside, 'stream', STREAM_ROWS, [DROP_FOREIGN_KEYS]);
}
