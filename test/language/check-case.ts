/** Runs a case, and compares the answer with the expected rows. */
import { expect } from 'vitest';
import { parseQuery } from '../../src/engine/language/parse-query.js';
import { misfits } from './describe-answer.js';
import { exactSqlValue, exactValue, type LanguageFixture } from './language-fixture.js';
import type { ReadCase } from './read-case.js';

const limits = { expressionLengthMax: 65_536, nestingMax: 64 };
const ordering = new Set(['sort', 'order', 'page', 'first', 'last']);

/** Throws if the answer differs from the expected rows or does not fit the descriptions. */
export async function checkCase(fixture: LanguageFixture, each: ReadCase): Promise<void> {
  if ('refused' in each) {
    return checkRefused(each.refused, fixture.answer(each.query, each.data));
  }
  const rows = exactValue(await fixture.answer(each.query, each.data));
  const expected =
    'sql' in each ? exactSqlValue(await fixture.sqlRows(each.sql)) : exactValue(each.rows);
  const settle = isOrdered(each.query) ? (value: unknown) => value : inAnyOrder;
  expect(settle(rows)).toEqual(settle(expected));
  expect(misfits(await fixture.plan(each.query), rows)).toEqual([]);
}

async function checkRefused(code: string, answer: Promise<string>): Promise<void> {
  await expect(answer).rejects.toMatchObject({ problem: { code } });
}

/** Throws if the two answers to a case differ. */
export async function checkSame(
  each: ReadCase,
  one: Promise<string>,
  other: Promise<string>,
): Promise<void> {
  if ('refused' in each) {
    const { refused } = each;
    await Promise.all([one, other].map((answer) => checkRefused(refused, answer)));
    return;
  }
  const [first, second] = await Promise.all([one, other]);
  const settle = isOrdered(each.query) ? (value: unknown) => value : inAnyOrder;
  expect(settle(exactValue(second))).toEqual(settle(exactValue(first)));
}

function isOrdered(query: string): boolean {
  return parseQuery(query, limits).clauses.some(({ name }) => ordering.has(name));
}

/** Sorts the rows, which come in any order without a sort. */
function inAnyOrder(rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  const sorted = rows.map((row) => ({ row, text: JSON.stringify(row, sortedKeys) }));
  return sorted.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ row }) => row);
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
