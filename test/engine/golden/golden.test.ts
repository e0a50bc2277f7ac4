/**
 * Every golden case compiles to its expected statements. `UPDATE_GOLDEN=1` writes the current
 * statements, for a person to review.
 */
import { describe, expect, test } from 'vitest';
import { readTopics, writeTopic } from './cases.js';
import { settle } from './plans.js';

const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
const topics = readTopics();

if (isUpdate) {
  for (const { name, cases } of topics) writeTopic({ name, cases: cases.map(settle) });
}

describe.each(isUpdate ? readTopics() : topics)('$name', ({ cases }) => {
  test.each(cases)('$comment', (golden) => {
    expect(settle(golden)).toEqual(golden);
  });

  test('no comment occurs twice', () => {
    expect(new Set(cases.map(({ comment }) => comment)).size).toBe(cases.length);
  });
});
