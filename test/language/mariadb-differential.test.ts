/**
 * Random queries answered on both databases: the answers are the same to the byte, where their rows
 * have an order; else the same rows, to the byte as well. Texts have a binary collation on both.
 */
import fc from 'fast-check';
import { LosslessNumber, parse, stringify } from 'lossless-json';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseQuery } from '../../src/engine/language/parse-query.js';
import '../support/fixed-seed.js';
import { describeMariadb } from '../support/mariadb.js';
import { type LanguageFixture, startLanguageFixture } from './language-fixture.js';
import { type MariadbFixture, startMariadbFixture } from './mariadb-fixture.js';
import { randomQuery } from './random-query.js';

const RUNS = Number(process.env['ROWGATE_TEST_RUNS'] ?? '1000');
/** A bound for a machine that is busy. */
const RUN_MS = Math.max(240_000, RUNS * 120);
const limits = { expressionLengthMax: 65_536, nestingMax: 64 };

describeMariadb('random queries', () => {
  let postgresql: LanguageFixture;
  let mariadb: MariadbFixture;

  beforeAll(async () => {
    [postgresql, mariadb] = await Promise.all([startLanguageFixture(), startMariadbFixture()]);
  });

  afterAll(() => Promise.all([postgresql.stop(), mariadb.stop()]));

  test(
    'are answered as on PostgreSQL',
    async () => {
      let answered = 0;
      const property = fc.asyncProperty(randomQuery, async ({ query, data }) => {
        fc.pre(!isPageOfConstants(query));
        const answers = [postgresql, mariadb].map((each) => each.answer(query, data));
        const [expected = '', found = ''] = await Promise.all(answers);
        const settle = isOrdered(query) ? (text: string) => text : inAnyOrder;
        expect(settle(found)).toBe(settle(expected));
        answered += 1;
      });
      await fc.assert(property, {
        numRuns: RUNS,
        interruptAfterTimeLimit: RUN_MS,
        markInterruptAsFailure: true,
      });
      expect(answered).toBe(RUNS);
    },
    RUN_MS + 60_000,
  );
});

/** MariaDB answers with a row behind the only one: `SELECT DISTINCT 'a' FROM t LIMIT 1 OFFSET 1`. */
function isPageOfConstants(query: string): boolean {
  const row = /\.distinct\((\w+)=>/.exec(query)?.[1];
  return row !== undefined && query.includes('.page(') && !query.includes(`${row}.`);
}

function isOrdered(query: string): boolean {
  const ordering = ['sort', 'page', 'first', 'last'];
  return parseQuery(query, limits).clauses.some(({ name }) => ordering.includes(name));
}

/** The rows, one a line, sorted; included lists come in the order of their keys. */
function inAnyOrder(text: string): string {
  const rows = parse(text, undefined, (digits) => new LosslessNumber(digits));
  if (!Array.isArray(rows)) return text;
  return rows
    .map((row) => stringify(row) ?? '')
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    .join('\n');
}
