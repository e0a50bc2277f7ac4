/** Compares an answer in all formats: JSON, indented JSON, NDJSON, CSV, and compressed. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Reply } from '../drive/client.js';
import type { ExpectedRows } from '../evaluate/expected.js';
import { makeData } from '../generate/data.js';
import { makeQuery, type RandomQuery } from '../generate/query.js';
import {
  type Answered,
  canonicalText,
  isNumber,
  isObject,
  parseAnswer,
  unorderedText,
} from '../judge/answered.js';
import { parseCsv } from '../judge/csv.js';
import { difference, sizesOf } from '../judge/differences.js';
import { bodyOf, expectedOf } from '../judge/judge.js';
import { leavesRowsOpen } from '../judge/open-rows.js';
import type { Step } from './round.js';

const TABLES = 2;
const TRIES = 10;

/** The rows must be the same; those that are not sorted may come in any order among themselves. */
export async function checkFormats(step: Step): Promise<void> {
  const { random, world } = step;
  await checkQuery(step, makeQuery(random, world.domain));
  for (let number = 0; number < TABLES; number += 1) await checkQuery(step, sortedTable(step));
}

/** If possible, a query that can be answered as CSV and whose rows are sorted. */
function sortedTable({ random, world }: Step): RandomQuery {
  const made = Array.from({ length: TRIES }, () => makeQuery(random, world.domain));
  const isSortedTable = ({ text }: RandomQuery) =>
    /\.(sort|order)\(/.test(text) && !text.includes('.include(');
  return made.find(isSortedTable) ?? makeQuery(random, world.domain);
}

async function checkQuery(
  { random, world, report, server, seed }: Step,
  query: RandomQuery,
): Promise<void> {
  const question = { text: query.text, data: makeData(random, query.parameters) };
  const body = bodyOf(question);
  const ask = (headers: Readonly<Record<string, string>>, format = '') =>
    world.client.post(`/execute${format}`, body, headers);
  const plain = await ask({});
  if (plain.status !== 200 || leavesRowsOpen(world.domain, query.text)) return;
  report.count('queries in all formats');
  const rows = parseAnswer(plain.text);
  const expected = expectedOf(world, question);
  const sorted = expected && difference(expected, rows) === undefined ? expected : undefined;
  const others: readonly (readonly [string, (reply: Reply) => Answered, Reply])[] = [
    ['indented', ({ text }) => parseAnswer(text), await ask({}, '?format=beautiful')],
    ['NDJSON', ndjsonRows, await ask({ accept: 'application/x-ndjson' })],
    [
      'gzip',
      (reply) => parseAnswer(decoded(reply, 'gzip')),
      await ask({ 'accept-encoding': 'gzip' }),
    ],
    ['br', (reply) => parseAnswer(decoded(reply, 'br')), await ask({ 'accept-encoding': 'br' })],
  ];
  const wrong = (format: string, fault: string): void =>
    report.fail({
      kind: `format ${format}: ${fault.replaceAll(/[\d"'].*/g, '')}`,
      text: `${format} differs from JSON: ${fault}\n${body}\non ${server.dialect}, seed ${seed}`,
    });
  for (const [format, read, reply] of others) {
    const fault = faultOf(rows, sorted, () => read(reply));
    if (fault !== undefined) wrong(format, fault);
  }
  const csv = await ask({ accept: 'text/csv' });
  const hasIncludes = query.text.includes('.include(');
  if (hasIncludes !== (csv.status === 406)) wrong('CSV', `status ${csv.status}`);
  const fault = hasIncludes ? undefined : csvFault(rows, sorted, csv);
  if (fault !== undefined) wrong('CSV', fault);
}

/** `sorted` are the possible rows in their order, if they are known. */
function faultOf(
  rows: Answered,
  sorted: ExpectedRows | undefined,
  read: () => Answered,
): string | undefined {
  try {
    const other = read();
    const [expected, found] = [unorderedText(rows), unorderedText(other)];
    if (expected !== found) return `${expected.slice(0, 300)} against ${found.slice(0, 300)}`;
    return sorted && difference(sorted, other);
  } catch (error) {
    return String(error);
  }
}

/** Each line is a row and ends with a line end. */
function ndjsonRows({ text }: Reply): Answered {
  if (text === '') return [];
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  return text.slice(0, -1).split('\n').map(parseAnswer);
}

function decoded({ headers, body }: Reply, encoding: string): string {
  const found = headers['content-encoding'];
  // Small answers are not compressed.
  if (found === undefined) return body.toString();
  if (found !== encoding) throw new Error(`encoded by ${found}`);
  return (encoding === 'gzip' ? gunzipSync(body) : brotliDecompressSync(body)).toString();
}

/** The header has the names of the members in order, and each line has the values of a row. */
function csvFault(
  rows: Answered,
  sorted: ExpectedRows | undefined,
  { status, text }: Reply,
): string | undefined {
  if (status !== 200) return `status ${status}`;
  if (!Array.isArray(rows)) return 'no rows';
  try {
    const [header = [], ...lines] = parseCsv(text);
    const [first] = rows;
    if (first !== undefined && namesOf(first).join() !== header.join())
      return `header ${header.join()}`;
    const sizes = sorted ? sizesOf(sorted) : [rows.length];
    const expected = sortedWithin(
      sizes,
      rows.map((row) => JSON.stringify(fieldsOf(row))),
    );
    const found = sortedWithin(
      sizes,
      lines.map((line) => JSON.stringify(line.map(settled))),
    );
    const at = expected.findIndex((line, index) => line !== found[index]);
    if (at === -1 && expected.length === found.length) return undefined;
    return `${expected.length} rows, ${found.length} lines: ${expected[at]} against ${found[at]}`;
  } catch (error) {
    return String(error);
  }
}

/** The lines of each class of rows in the order of their texts, and any other lines. */
function sortedWithin(sizes: readonly number[], lines: readonly string[]): readonly string[] {
  const left = [...lines];
  return [...sizes.flatMap((size) => left.splice(0, size).sort()), ...left];
}

function namesOf(row: Answered): readonly string[] {
  return isObject(row) ? Object.keys(row) : [];
}

function fieldsOf(row: Answered): readonly (string | null)[] {
  return isObject(row) ? Object.values(row).map(fieldOf) : [];
}

/** The field with the JSON of an array or an object in one form. */
function settled(field: string | null): string | null {
  if (field === null || !/^[[{]/.test(field)) return field;
  try {
    return canonicalText(parseAnswer(field));
  } catch {
    return field;
  }
}

function fieldOf(value: Answered): string | null {
  if (value === null || typeof value === 'string') return settled(value);
  if (Array.isArray(value) || isObject(value)) return canonicalText(value);
  return isNumber(value) ? value.value : String(value);
}
