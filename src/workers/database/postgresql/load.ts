/** Fast loading of rows into PostgreSQL: COPY in its text format (manual, COPY, "Text Format"). */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  anyRowStatement,
  copyStatement,
  type MappingEntity,
  sequenceStatements,
} from '../../../engine/index.js';

/** A value of a row; times are ISO 8601 texts. */
export type LoadValue = string | number | boolean | null;

/** A row by property name; a property that is not there is null. */
export type LoadRow = Readonly<Record<string, LoadValue>>;

/** Rows gather to pieces of this size before they are sent. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Loads `rows` into the table of `entity` and moves its sequences on; answers with the number of
 * rows. Memory does not grow with them. All or none are loaded; the caller owns the transaction.
 */
export async function loadRows(
  client: pg.ClientBase,
  entity: MappingEntity,
  rows: Iterable<LoadRow>,
): Promise<number> {
  const copy = client.query(copyFrom(copyStatement(entity)));
  const names = entity.properties.map((property) => property.name);
  await pipeline(Readable.from(copyText(rows, names)), copy);
  for (const statement of sequenceStatements(entity)) await client.query(statement);
  return copy.rowCount;
}

/** Whether there is a row in the table of `entity`. */
export async function hasRows(client: pg.ClientBase, entity: MappingEntity): Promise<boolean> {
  const result = await client.query(anyRowStatement(entity));
  return result.rows.length > 0;
}

function* copyText(rows: Iterable<LoadRow>, names: readonly string[]): Generator<string> {
  let chunk = '';
  for (const row of rows) {
    chunk += `${names.map((name) => copyValue(row[name])).join('\t')}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function copyValue(value: LoadValue | undefined): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value !== 'string') return String(value);
  return /[\\\t\n\r]/.test(value) ? value.replace(/[\\\t\n\r]/g, escaped) : value;
}

function escaped(character: string): string {
  switch (character) {
    case '\t':
      return '\\t';
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    default:
      return `\\${character}`;
  }
}
