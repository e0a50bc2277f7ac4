/**
 * The program with views whose rows are many, large or wide. The rows are computed as they are read,
 * and never stored.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import {
  makeTemporaryDirectory,
  createThrowawayDatabase,
  withClient,
} from '../support/embedded.js';
import { type Program, startProgram } from '../support/program.js';
import { connectionUrl } from '../support/sample.js';

/** Rows of `Throttled`; about 175 MB of JSON. */
const THROTTLED_ROWS = 120_000;
/** Columns of `Wide`: as many as PostgreSQL allows. */
export const WIDE_COLUMNS = 1600;

export const MIB = 1 << 20;

const views = `
  CREATE VIEW throttled AS
    SELECT n AS id, repeat(md5(n::text), 1 + n % 90) || E' "\\\\ é😀\\n\\x01' AS name,
      n * 1.25 AS amount, timestamp '2024-01-01' + n * interval '1.5 seconds' AS at
    FROM generate_series(1, ${THROTTLED_ROWS}) n;
  CREATE VIEW huge AS
    SELECT n AS id, repeat('0123456789abcdef', 65536 * 100) AS name FROM generate_series(1, 1) n;
  CREATE VIEW quoted AS
    SELECT n AS id, repeat(E'"\\\\\\n\\x01é', 1 << 20) AS name FROM generate_series(1, 2) n;
  CREATE VIEW megabytes AS
    SELECT n AS id, n % 10 AS parent, repeat(n::text || ' ', 1 << 20) AS name
    FROM generate_series(1, 40) n;
  CREATE VIEW parents AS SELECT n AS id, 'p' || n AS name FROM generate_series(0, 20000) n;
  CREATE VIEW children AS
    SELECT p * 4 + c AS id, p AS parent, 'c' || c AS name
    FROM generate_series(0, 20000) p, generate_series(0, 3) c;
  CREATE TABLE wide (${Array.from({ length: WIDE_COLUMNS }, (_, n) => `c${n} int`).join(', ')});
  INSERT INTO wide (c0, c7, c1599) SELECT n, 7 * n, -n FROM generate_series(1, 300) n;
  CREATE TABLE nothing (id int PRIMARY KEY, name text);
  CREATE VIEW raw AS SELECT 1 AS id, '\\x00ff22'::bytea AS name;`;

const id = { name: 'id', type: 'integer', required: true };
const parent = { name: 'parent', type: 'integer' };
const name = { name: 'name', length: 200_000_000 };

function childrenOf(entity: string) {
  return { name: 'children', type: 'manyToOne', from: 'id', entity, to: 'parent' };
}

const entities = [
  {
    name: 'Throttled',
    primaryKey: ['id'],
    properties: [id, name, { name: 'amount', type: 'decimal' }, { name: 'at', type: 'dateTime' }],
  },
  { name: 'Huge', primaryKey: ['id'], properties: [id, name] },
  { name: 'Quoted', primaryKey: ['id'], properties: [id, name] },
  { name: 'Megabytes', primaryKey: ['id'], properties: [id, parent, name] },
  {
    name: 'Parents',
    primaryKey: ['id'],
    properties: [id, name],
    relations: [childrenOf('Children'), { ...childrenOf('Megabytes'), name: 'megabytes' }],
  },
  { name: 'Children', primaryKey: ['id'], properties: [id, parent, name] },
  {
    name: 'Wide',
    primaryKey: ['c0'],
    properties: Array.from({ length: WIDE_COLUMNS }, (_, n) => ({
      name: `c${n}`,
      type: 'integer',
    })),
  },
  { name: 'Nothing', primaryKey: ['id'], properties: [id, name] },
  { name: 'Raw', primaryKey: ['id'], properties: [id, name] },
];

export interface LargeFixture {
  readonly connection: EmbeddedConnection;
  start(flags?: readonly string[]): Promise<Program>;
  /** Runs SQL on a separate connection. */
  sql(text: string): Promise<readonly pg.QueryResultRow[]>;
  stop(): Promise<void>;
}

/** Creates a database with the views. */
export async function startLargeFixture(): Promise<LargeFixture> {
  const { connection, drop } = await createThrowawayDatabase();
  const folder = makeTemporaryDirectory();
  const schema = join(folder, 'schema.json');
  writeFileSync(schema, JSON.stringify(schemaDocument(connection)));
  await withClient(connection, (client) => client.query(views));
  return {
    connection,
    start: (flags = []) => startProgram(['--workers', '1', '--schema', schema, ...flags]),
    sql: (text) => withClient(connection, async (client) => (await client.query(text)).rows),
    stop: () => drop().finally(() => rmSync(folder, { recursive: true, force: true })),
  };
}

/** The resident memory of a process in bytes, or 0 if the system does not report it. */
export function residentBytes({ pid }: Program): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function schemaDocument(connection: EmbeddedConnection): object {
  const mapped = entities.map(({ name: entity }) => ({
    name: entity,
    mapping: entity.toLowerCase(),
  }));
  const source = { name: 'default', mapping: 'default', dialect: 'PostgreSQL' };
  return {
    domain: { version: '1.0.0', entities },
    infrastructure: {
      mappings: [{ name: 'default', entities: mapped }],
      sources: [{ ...source, connection: connectionUrl(connection) }],
    },
  };
}
