/** A database client that locks the tables of the mixes, so that nobody can read them. */
import mariadb from 'mariadb';
import pg from 'pg';
import type { BenchDatabase, DatabaseConnection } from '../database.js';

export interface Locker {
  lock(): Promise<unknown>;
  unlock(): Promise<unknown>;
  end(): Promise<void>;
}

export function openLocker({ dialect, connection }: BenchDatabase): Promise<Locker> {
  return dialect === 'PostgreSQL' ? openPostgresql(connection) : openMariadb(connection);
}

async function openPostgresql(connection: DatabaseConnection): Promise<Locker> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  return {
    lock: () => client.query('BEGIN; LOCK TABLE Products, Orders, Customers'),
    unlock: () => client.query('COMMIT'),
    end: () => client.end(),
  };
}

/** The default of one second is too short for a server under load. */
const CONNECT_MS = 20_000;

async function openMariadb(connection: DatabaseConnection): Promise<Locker> {
  const client = await mariadb.createConnection({ ...connection, connectTimeout: CONNECT_MS });
  return {
    lock: () => client.query('LOCK TABLES Products WRITE, Orders WRITE, Customers WRITE'),
    unlock: () => client.query('UNLOCK TABLES'),
    end: () => client.end(),
  };
}
