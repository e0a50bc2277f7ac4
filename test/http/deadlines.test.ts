import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadlines, type Expiring, NO_DEADLINE } from '../../src/gateway/http/deadlines.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function start() {
  const deadlines = new Deadlines();
  const expired: string[] = [];
  const create = (name: string, then?: () => void): Expiring => ({
    deadlineIndex: NO_DEADLINE,
    expired: () => {
      expired.push(name);
      then?.();
    },
  });
  return { deadlines, expired, create };
}

test('expires those whose deadline has passed, once', () => {
  const { deadlines, expired, create } = start();
  const [first, second, third] = [create('first'), create('second'), create('third')];
  deadlines.set(first, 1000);
  deadlines.set(second, 5000);
  deadlines.set(third, 1000);
  vi.advanceTimersByTime(900);
  expect(expired).toEqual([]);
  vi.advanceTimersByTime(700);
  expect(expired.toSorted()).toEqual(['first', 'third']);
  vi.advanceTimersByTime(4500);
  expect(expired.toSorted()).toEqual(['first', 'second', 'third']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a removed one does not expire, and the others keep their own deadlines', () => {
  const { deadlines, expired, create } = start();
  const all = ['a', 'b', 'c', 'd'].map((name) => create(name));
  for (const [index, each] of all.entries()) deadlines.set(each, 1000 * (index + 1));
  const [a, , c] = all;
  if (a) deadlines.delete(a);
  if (a) deadlines.delete(a);
  if (c) deadlines.set(c, 10_000);
  vi.advanceTimersByTime(2700);
  expect(expired).toEqual(['b']);
  vi.advanceTimersByTime(2000);
  expect(expired).toEqual(['b', 'd']);
  vi.advanceTimersByTime(10_000);
  expect(expired).toEqual(['b', 'd', 'c']);
});

test('while one expires, others may be removed or get a new deadline', () => {
  const { deadlines, expired, create } = start();
  const later = create('later');
  const removed = create('removed');
  const first = create('first', () => {
    deadlines.delete(removed);
    deadlines.set(later, 3000);
    deadlines.set(first, 3000);
  });
  for (const each of [first, later, removed]) deadlines.set(each, 1000);
  vi.advanceTimersByTime(1600);
  expect(expired).toEqual(['first']);
  vi.advanceTimersByTime(3600);
  expect(expired.toSorted()).toEqual(['first', 'first', 'later']);
});
