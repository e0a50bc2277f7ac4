/** The tables of the long runs, and the answers that are known without asking. */
import { createHash } from 'node:crypto';
import type { OwnDatabase } from './database.js';

export const POINTS = 2000;
/** Two kilobytes each: together more than one answer may keep in memory. */
export const NOISE = 8000;
export const COUNTERS = 8;
const ROWS_OF_INSERT = 500;

const integer = { type: 'integer', required: true };
const id = { name: 'id', ...integer };
const parts = { name: 'parts', type: 'manyToOne', from: 'id', entity: 'parts', to: 'entry' };

const entities = [
  { name: 'points', primaryKey: ['id'], properties: [id, { name: 'name' }] },
  { name: 'noise', primaryKey: ['id'], properties: [id, { name: 'name', length: 2048 }] },
  { name: 'hot', primaryKey: ['id'], properties: [id, { name: 'counter', ...integer }] },
  {
    name: 'entries',
    primaryKey: ['id'],
    properties: [
      { ...id, autoIncrement: true },
      { name: 'mark', required: true },
    ],
    relations: [parts],
  },
  {
    name: 'parts',
    primaryKey: ['entry', 'number'],
    properties: [
      { name: 'entry', ...integer },
      { name: 'number', ...integer },
    ],
  },
];

export function schemaFile({ source }: Pick<OwnDatabase, 'source'>): string {
  return JSON.stringify({
    domain: { version: '1.0.0', entities },
    infrastructure: { sources: [{ name: 'main', ...source }] },
  });
}

export interface NamedRow {
  readonly id: number;
  readonly name: string;
}

export const pointRow = (number: number): NamedRow => ({ id: number, name: `point ${number}` });

/** The rows of `noise`. */
export function noiseRows(): readonly NamedRow[] {
  return rowsOf(NOISE, (number) => {
    const letters = createHash('md5').update(String(number)).digest('hex');
    return { id: number, name: letters.repeat(64) };
  });
}

/** Creates the tables, and fills them. */
export async function createTables(database: OwnDatabase): Promise<void> {
  await database.withSession(async (query) => {
    const insert = async (table: string, rows: readonly (readonly [number, string])[]) => {
      for (let at = 0; at < rows.length; at += ROWS_OF_INSERT) {
        const values = rows.slice(at, at + ROWS_OF_INSERT).map((row) => `(${row.join(', ')})`);
        await query(`INSERT INTO ${table} VALUES ${values.join(', ')}`);
      }
    };
    const named = (rows: readonly NamedRow[]) =>
      rows.map((row) => [row.id, `'${row.name}'`] as const);
    const key = 'id integer PRIMARY KEY';
    await query(`CREATE TABLE points (${key}, name varchar(80))`);
    await query(`CREATE TABLE noise (${key}, name varchar(2048))`);
    await query(`CREATE TABLE hot (${key}, counter integer NOT NULL)`);
    await query(`CREATE TABLE entries (id integer ${database.generated} PRIMARY KEY,
      mark varchar(80) NOT NULL)`);
    await query(`CREATE TABLE parts (entry integer NOT NULL, number integer NOT NULL,
      PRIMARY KEY (entry, number))`);
    await insert('points', named(rowsOf(POINTS, pointRow)));
    await insert('noise', named(noiseRows()));
    await insert(
      'hot',
      rowsOf(COUNTERS, (number) => [number, '0'] as const),
    );
  });
}

function rowsOf<Row>(count: number, row: (number: number) => Row): readonly Row[] {
  return Array.from({ length: count }, (_, at) => row(at + 1));
}
