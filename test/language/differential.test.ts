/**
 * Random queries answered twice: by a worker on PostgreSQL, and by an evaluation of the same syntax
 * tree over the same rows in memory. `ROWGATE_TEST_SEED` looks elsewhere, `ROWGATE_TEST_RUNS` longer.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseQuery } from '../../src/engine/language/parse-query.js';
import '../support/fixed-seed.js';
import { differences } from './differences.js';
import { answerQuery } from './evaluator/answer.js';
import { exactValue, type LanguageFixture, startLanguageFixture } from './language-fixture.js';
import { randomQuery } from './random-query.js';

const RUNS = Number(process.env['ROWGATE_TEST_RUNS'] ?? '2000');
/** A bound for a machine that is busy; alone, all runs take under a minute. */
const RUN_MS = Math.max(240_000, RUNS * 120);
const limits = { expressionLengthMax: 65_536, nestingMax: 64 };

let fixture: LanguageFixture;

beforeAll(async () => {
  fixture = await startLanguageFixture();
});

afterAll(() => fixture.stop());

test(
  'random queries are answered as an evaluation in memory answers them',
  async () => {
    let answered = 0;
    const property = fc.asyncProperty(randomQuery, async ({ query, data }) => {
      const expected = answerQuery(parseQuery(query, limits), data);
      const answer = exactValue(await fixture.answer(query, data));
      expect(differences(expected, answer, isOrdered(query))).toEqual([]);
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

function isOrdered(query: string): boolean {
  const ordering = ['sort', 'page', 'first', 'last'];
  return parseQuery(query, limits).clauses.some(({ name }) => ordering.includes(name));
}
