/** The statement that a plan shows returns the same rows when it is run by hand. */
import { makeQuery } from '../generate/query.js';
import {
  type Answered,
  canonicalNumber,
  isNumber,
  isObject,
  parseAnswer,
} from '../judge/answered.js';
import type { Step } from './round.js';

const TRIES = 12;
/** The language does not define which of several equally sorted rows are answered. */
const isCut = /\.(page|first|last|take)\(/;

/** Checks a query whose statement has no parameters. Its includes are checked elsewhere. */
export async function checkByHand({ random, world, report, server, seed }: Step): Promise<void> {
  if (world.split) return;
  for (let number = 0; number < TRIES; number += 1) {
    const { text, parameters } = makeQuery(random, world.domain);
    if (parameters.size > 0 || isCut.test(text)) continue;
    const body = JSON.stringify({ query: text });
    const plan = parseAnswer((await world.client.post('/plan', body)).text);
    const sentence = isObject(plan) ? plan['sentence'] : undefined;
    if (typeof sentence !== 'string' || /[?]|\$\d/.test(sentence)) continue;
    const reply = await world.client.post('/execute', body);
    if (reply.status !== 200) continue;
    report.count('statements run by hand');
    const answered = parseAnswer(reply.text);
    const rows = await world.database.rows(sentence);
    if (!Array.isArray(answered) || isSame(answered, rows)) continue;
    const shown = JSON.stringify(rows, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    report.fail({
      kind: 'by hand',
      text: `${text}\n${sentence}\n${reply.text.slice(0, 600)}\n${shown.slice(0, 600)}\non ${server.dialect}, seed ${seed}`,
    });
  }
}

type SqlRow = Readonly<Record<string, unknown>>;

/** Whether the rows of the answer are exactly those of the statement. */
function isSame(answered: readonly Answered[], rows: readonly SqlRow[]): boolean {
  const left = [...rows];
  for (const row of answered) {
    const at = left.findIndex((each) => isObject(row) && isRow(row, each));
    if (at === -1) return false;
    left.splice(at, 1);
  }
  return left.length === 0;
}

function isRow(row: { readonly [name: string]: Answered }, sql: SqlRow): boolean {
  return Object.entries(row).every(([name, value]) => {
    const isIncluded = Array.isArray(value) || isObject(value) || !(name in sql);
    return isIncluded || isValue(value, sql[name]);
  });
}

function isValue(value: Answered, raw: unknown): boolean {
  // The columns of bits that MariaDB has.
  if (isNumber(value) && Buffer.isBuffer(raw)) return value.value === bitsOf(raw);
  const isNothing = typeof raw === 'number' ? !Number.isFinite(raw) : (raw ?? null) === null;
  // A null of JSON, and a string of JSON.
  if (value === null && raw === 'null') return true;
  if (typeof value === 'string' && raw === JSON.stringify(value)) return true;
  if (value === null || isNothing) return value === null && isNothing;
  const text = raw instanceof Date ? raw.toISOString() : String(raw);
  if (isNumber(value))
    return (
      canonicalNumber(value.value) === canonicalNumber(text) || Number(value.value) === Number(text)
    );
  if (typeof value === 'boolean') return value === ['t', 'true', '1'].includes(text);
  if (value === text) return true;
  return (
    typeof value === 'string' && instant(value) === instant(text) && instant(text) !== undefined
  );
}

function bitsOf(bytes: Buffer): string {
  return String(BigInt(`0x${bytes.toString('hex')}`));
}

/** Instants, dates and times of day in microseconds, in any spelling. */
function instant(text: string): string | undefined {
  const match = /^\+?0*(\d{4,}-\d\d-\d\d)?(?:[T ])?(\d\d:\d\d:\d\d)?(?:\.(\d+))?(?:Z|\+00)?$/.exec(
    text,
  );
  if (!match || text === '') return undefined;
  const [, day = '', clock = '00:00:00', fraction = ''] = match;
  return `${day} ${clock}.${fraction.padEnd(6, '0').slice(0, 6)}`;
}
