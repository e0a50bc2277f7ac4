/**
 * The database of the streaming cases: a million products, and 200,000 orders of 3 details each.
 */
import { type DatabaseBeside, type DatabaseConnection, makeDatabaseBeside } from '../database.js';

/** The numbers of rows to stream. */
export const STREAM_ROWS = { products: 1_000_000, orders: 200_000 };

/** Inserts are much faster without checks of foreign keys. */
const DROP_FOREIGN_KEYS = `
  DO $$ DECLARE each record; BEGIN
    FOR each IN SELECT conrelid::regclass AS name, conname FROM pg_constraint WHERE contype = 'f'
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.name, each.conname); END LOOP;
  END $$`;

/** Creates a database on the same server as that of the run. */
export function makeStreamDatabase(beside: DatabaseConnection): Promise<DatabaseBeside> {
  return makeDatabaseBeside(beside, 'stream', STREAM_ROWS, [DROP_FOREIGN_KEYS]);
}
