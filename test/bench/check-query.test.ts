import { describe, expect, it } from 'vitest';
import { checkQuery } from '../../bench/mixes/check-query.js';
import { INSERT, LIST, PLANS, ROWS, UPDATE } from '../../bench/mixes/queries.js';

const [first, second] = [{ id: 1 }, { id: 2 }];

it('there are 128 different plans of three entities', () => {
  expect(new Set(PLANS.map(({ expression }) => expression)).size).toBe(128);
  expect(new Set(PLANS.map(({ sql }) => sql)).size).toBe(128);
  expect(new Set(PLANS.map(({ entity }) => entity)).size).toBe(3);
});

describe('the check of an answer', () => {
  const check = (query: typeof ROWS, answer: unknown, right: unknown, data = {}) =>
    checkQuery(
      { query, data },
      async () => answer,
      async () => right,
    );

  it('accepts rows in any order if the query does not sort', async () => {
    await expect(check(ROWS, [second, first], [first, second])).resolves.toBeUndefined();
    await expect(check(LIST, [second, first], [first, second])).rejects.toThrow('is\n');
  });

  it('notices a missing row and a different one', async () => {
    await expect(check(ROWS, [first], [first, second])).rejects.toThrow('is\n');
    await expect(check(ROWS, [first, { id: 3 }], [first, second])).rejects.toThrow('is\n');
  });

  it('notices an inserted row that differs from its answer', async () => {
    const row = { id: 7, name: 'a' };
    await expect(check(INSERT, row, [row], { name: 'a' })).resolves.toBeUndefined();
    await expect(check(INSERT, row, [], { name: 'a' })).rejects.toThrow('is\n');
    await expect(check(INSERT, row, [row], { name: 'b' })).rejects.toThrow('is\n');
  });

  it('notices an update that is not stored', async () => {
    const data = { id: 7, freight: 2 };
    await expect(check(UPDATE, 1, [{ ...data, name: 'a' }], data)).resolves.toBeUndefined();
    await expect(check(UPDATE, 1, [{ id: 7, freight: 1 }], data)).rejects.toThrow('is\n');
    await expect(check(UPDATE, 0, [data], data)).rejects.toThrow('is\n');
  });
});
