/**
 * A database with the sample rows, a worker that answers queries over them, and plain SQL for
 * comparison.
 */
import pg from 'pg';
import { parse } from 'lossless-json';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import type { CompiledQuery } from '../../src/engine/index.js';
import { createSampleDatabase, sampleDocument } from '../support/sample.js';
import { startWorker, type TestGateway } from '../workers/test-worker.js';
import { extraEntities, extraMappings, extraTables } from './extra-entities.js';

export interface LanguageFixture {
  readonly connection: EmbeddedConnection;
  readonly gateway: TestGateway;
  /** The text of the answer to a query. Data that is a string is parsed as JSON. */
  answer(query: string, data?: unknown): Promise<string>;
  /** The compiled query. */
  plan(query: string): Promise<CompiledQuery>;
  /** The rows of an SQL query, as JSON text. */
  sqlRows(sql: string): Promise<string>;
  stop(): Promise<void>;
}

/** Creates a database, and starts a worker in this thread. */
export async function startLanguageFixture(): Promise<LanguageFixture> {
  const { connection, drop } = await createSampleDatabase();
  const client = new pg.Client({ ...connection, options: '-c datestyle=ISO -c timezone=UTC' });
  await client.connect();
  await client.query(extraTables);
  const worker = startWorker(languageDocument(connection));
  const { gateway } = worker;
  return {
    connection,
    gateway,
    async answer(query, data) {
      return (await gateway.execute(query, { data })).text;
    },
    plan: (query) => gateway.compile(query),
    async sqlRows(sql) {
      const text = `SELECT coalesce(json_agg(to_json(t)), '[]')::text AS rows FROM (${sql}) t`;
      const { rows } = await client.query<{ rows: string }>(text);
      return rows[0]?.rows ?? '';
    },
    async stop() {
      await worker.close();
      await client.end();
      await drop();
    },
  };
}

/** The schema document of the sample with the tests' own entities. */
export function languageDocument(connection: EmbeddedConnection): unknown {
  return withExtraEntities(sampleDocument(connection));
}

/** Adds the tests' own entities to a schema document. */
export function withExtraEntities(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key !== 'entities' || !Array.isArray(value)) return value;
    const isDomain = value.some((each) => 'primaryKey' in each);
    return [...value, ...(isDomain ? extraEntities : extraMappings)];
  });
}

/** Parses JSON text to values that can be compared: numbers as digits without trailing zeros. */
export function exactValue(text: string): unknown {
  return parse(text, undefined, (digits) => `number ${canonicalNumber(digits)}`);
}

/** The same for a result of SQL, with dates and times as Rowgate writes them. */
export function exactSqlValue(text: string): unknown {
  return parse(
    text,
    (_, value: unknown) => (typeof value === 'string' ? isoDate(value) : value),
    (digits) => `number ${canonicalNumber(digits)}`,
  );
}

const instant = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?\+00:00$/;
const day = /^\d{4}-\d\d-\d\d$/;

function isoDate(text: string): string {
  if (day.test(text)) return `${text}T00:00:00.000Z`;
  const match = instant.exec(text);
  return match ? `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0').slice(0, 3)}Z` : text;
}

/** A number as digits and a power of ten: the same for `12.50`, `1.25e1` and `12.5`. */
export function canonicalNumber(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - short.length);
  return `${text.startsWith('-') ? '-' : ''}${short}e${power}`;
}
