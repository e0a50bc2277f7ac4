/** Compares an answer in all formats: JSON, indented JSON, NDJSON, CSV, and compressed. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Reply } from '../drive/client.js';
import { makeData } from '../generate/data.js';
import { makeQuery } from '../generate/query.js';
import {
  type Answered,
  canonicalText,
  isNumber,
  isObject,
  parseAnswer,
  unorderedText,
} from '../judge/answered.js';
import { parseCsv } from '../judge/csv.js';
import { bodyOf } from '../judge/judge.js';
import { leavesRowsOpen } from '../judge/open-rows.js';
import type { Step } from './round.js';

/** The rows must be the same; without a sort, they may come in any order. */
export async function checkFormats({ random, world, report, server, seed }: Step): Promise<void> {
  const query = makeQuery(random, world.domain);
  const body = bodyOf({ text: query.text, data: makeData(random, query.parameters) });
  const ask = (headers: Readonly<Record<string, string>>, format = '') =>
    world.client.post(`/execute${format}`, body, headers);
  const plain = await ask({});
  if (plain.status !== 200 || leavesRowsOpen(world.domain, query.text)) return;
  report.count('queries in all formats');
  const rows = parseAnswer(plain.text);
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
    const fault = faultOf(rows, () => read(reply));
    if (fault !== undefined) wrong(format, fault);
  }
  const csv = await ask({ accept: 'text/csv' });
  const hasIncludes = query.text.includes('.include(');
  if (hasIncludes !== (csv.status === 406)) wrong('CSV', `status ${csv.status}`);
  const fault = hasIncludes ? undefined : csvFault(rows, csv);
  if (fault !== undefined) wrong('CSV', fault);
}

function faultOf(rows: Answered, read: () => Answered): string | undefined {
  try {
    const [expected, found] = [unorderedText(rows), unorderedText(read())];
    return expected === found
      ? undefined
      : `${expected.slice(0, 300)} against ${found.slice(0, 300)}`;
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
function csvFault(rows: Answered, { status, text }: Reply): string | undefined {
  if (status !== 200) return `status ${status}`;
  if (!Array.isArray(rows)) return 'no rows';
  try {
    const [header = [], ...lines] = parseCsv(text);
    const [first] = rows;
    if (first !== undefined && namesOf(first).join() !== header.join())
      return `header ${header.join()}`;
    const expected = rows.map((row) => JSON.stringify(fieldsOf(row))).sort();
    const found = lines.map((line) => JSON.stringify(line.map(settled))).sort();
    const at = expected.findIndex((line, index) => line !== found[index]);
    if (at === -1 && expected.length === found.length) return undefined;
    return `${expected.length} rows, ${found.length} lines: ${expected[at]} against ${found[at]}`;
  } catch (error) {
    return String(error);
  }
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
