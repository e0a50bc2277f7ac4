/**
 * Runs the table of read cases: a worker answers each query, and its rows are compared with those of
 * plain SQL over the same tables. What /model, /metadata and /parameters say must fit every answer.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { topics } from './cases/topics.js';
import { checkCase } from './check-case.js';
import { type LanguageFixture, startLanguageFixture } from './language-fixture.js';

let fixture: LanguageFixture;

beforeAll(async () => {
  fixture = await startLanguageFixture();
});

afterAll(() => fixture.stop());

describe.each(Object.entries(topics))('%s', (_, cases) => {
  test.each(cases.map((each) => [each.query, each] as const))('%s', (_query, each) =>
    checkCase(fixture, each),
  );
});

test('has at least 400 cases, and none is repeated', () => {
  const all = Object.values(topics).flat();
  const asked = all.map(({ query, data }) => JSON.stringify([query, data]));
  expect(new Set(asked).size).toBe(asked.length);
  expect(asked.length).toBeGreaterThanOrEqual(400);
});

test('runs in the intended time zone', () => {
  const behind = String(new Date(Date.UTC(2024, 6, 1)).getTimezoneOffset());
  expect(process.env['ROWGATE_TEST_ZONE_OFFSET'] ?? behind).toBe(behind);
});
