import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SlowStatements } from '../../../src/workers/execute/slow-statements.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('a statement counts as slow for a second, and twice as long each time that it is slow again', () => {
  const slow = new SlowStatements();
  expect(slow.has('a')).toBe(false);
  for (const seconds of [1, 2, 4, 4]) {
    slow.add('a');
    vi.advanceTimersByTime(seconds * 1000 - 1);
    // Others that began at the same time do not make it longer.
    slow.add('a');
    expect([slow.has('a'), slow.has('b')]).toEqual([true, false]);
    vi.advanceTimersByTime(1);
    expect(slow.has('a')).toBe(false);
  }
});

test('long afterwards, it begins with a second again', () => {
  const slow = new SlowStatements();
  slow.add('a');
  vi.advanceTimersByTime(6000);
  slow.add('a');
  vi.advanceTimersByTime(1000);
  expect(slow.has('a')).toBe(false);
});
