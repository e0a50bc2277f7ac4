/** Compares whole streamed answers with the rows of the database, before they are measured. */
import { isDeepStrictEqual } from 'node:util';
import { queryRequest } from '../cases/case.js';
import type { DatabaseConnection } from '../database.js';
import { openPostgresql } from '../rivals/postgresql.js';

const TIMEOUT_MS = 60_000;

/** Throws unless the rows of the query are those of the SQL, in its order. */
export async function checkRows(
  url: string,
  query: string,
  connection: DatabaseConnection,
  sql: string,
): Promise<void> {
  const answer: unknown = JSON.parse(await askWhole(url, query));
  const database = openPostgresql(connection, 1);
  const rows = await database.rows('checked', sql, []);
  const expected: readonly unknown[] = JSON.parse(JSON.stringify(rows));
  await database.end();
  if (!Array.isArray(answer) || answer.length !== expected.length) {
    throw new Error(`${query} does not answer ${expected.length} rows.`);
  }
  const wrong = expected.findIndex((row, index) => !isDeepStrictEqual(row, answer[index]));
  if (wrong === -1) return;
  const [is, should] = [answer[wrong], expected[wrong]].map((row) => JSON.stringify(row));
  throw new Error(`Row ${wrong} of ${query} is\n${is}\nwhere this was expected:\n${should}`);
}

/** Throws unless both servers send the same bytes. */
export async function checkSame(query: string, urls: readonly string[]): Promise<void> {
  let first: string | undefined;
  // One after the other, because simultaneous sequential scans would share their position in the
  // table.
  for (const url of urls) {
    const answer = await askWhole(url, query);
    first ??= answer;
    if (answer !== first) throw new Error(`The answers to ${query} differ.`);
  }
}

async function askWhole(url: string, query: string): Promise<string> {
  const { path, body } = queryRequest('/execute', query);
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${query} answers ${response.status}: ${text}`);
  return text;
}
