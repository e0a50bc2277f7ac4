/** The table of requests in progress always holds what a Map would hold. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NumberedTable } from '../../../src/engine/index.js';
import '../../support/fixed-seed.js';

type Step =
  | { readonly kind: 'add'; readonly by: number }
  /** `at` is an index into the current entries; 0 is the oldest. */
  | { readonly kind: 'take'; readonly at: number }
  | { readonly kind: 'takeUnknown'; readonly number: number }
  | { readonly kind: 'clear' };

// Numbers that differ by a multiple of 256 have the same slot.
const gap = fc.oneof(
  { weight: 6, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.integer({ min: 2, max: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom(255, 256, 512, 1024) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 400, arbitrary: fc.record({ kind: fc.constant('add' as const), by: gap }) },
  { weight: 280, arbitrary: fc.record({ kind: fc.constant('take' as const), at: fc.nat(400) }) },
  {
    weight: 40,
    arbitrary: fc.record({ kind: fc.constant('takeUnknown' as const), number: fc.nat(2000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
);
const first = fc.constantFrom(0, 250, 2 ** 31 - 40, 2 ** 32 - 40, 2 ** 52);

test('whatever is added and taken, it contains what a Map contains', () => {
  const steps = fc.array(step, { minLength: 50, maxLength: 1500, size: 'max' });
  fc.assert(
    fc.property(first, steps, (start, given) => {
      const table = new NumberedTable<string>();
      const map = new Map<number, string>();
      let last = start;
      for (const each of given) {
        last = apply(each, last, table, map);
        expect(table.size).toBe(map.size);
      }
      expectSame(table, map);
    }),
    { numRuns: 50 },
  );
});

function apply(
  step: Step,
  last: number,
  table: NumberedTable<string>,
  map: Map<number, string>,
): number {
  switch (step.kind) {
    case 'add': {
      const number = last + step.by;
      table.add(number, `value ${number}`);
      map.set(number, `value ${number}`);
      return number;
    }
    case 'take': {
      const number = [...map.keys()][step.at % Math.max(1, map.size)] ?? last;
      expect(table.get(number)).toBe(map.get(number));
      expect(table.take(number)).toBe(map.get(number));
      map.delete(number);
      expect(table.get(number)).toBeUndefined();
      return last;
    }
    case 'takeUnknown':
      if (map.has(step.number)) return last;
      expect(table.take(step.number)).toBeUndefined();
      return last;
    case 'clear':
      table.clear();
      map.clear();
      return last;
  }
}

function expectSame(table: NumberedTable<string>, map: ReadonlyMap<number, string>): void {
  expect(table.entries().sort(([a], [b]) => a - b)).toEqual([...map]);
  for (const [number, value] of map) expect(table.get(number)).toBe(value);
}

describe('a value that is kept for a long time', () => {
  test('stays in the table, however often its slot is reused', () => {
    const table = new NumberedTable<number>();
    table.add(7, 7);
    for (let number = 8; number < 20_000; number += 1) {
      table.add(number, number);
      expect(table.take(number)).toBe(number);
    }
    expect([table.get(7), table.size, table.entries()]).toEqual([7, 1, [[7, 7]]]);
    expect([table.take(7), table.get(7), table.size]).toEqual([7, undefined, 0]);
  });

  test('is found among thousands', () => {
    const table = new NumberedTable<number>();
    const numbers = Array.from({ length: 10_000 }, (_, index) => 2 ** 31 - 5000 + index);
    for (const number of numbers) table.add(number, number);
    expect(table.size).toBe(10_000);
    for (const number of numbers) expect(table.get(number)).toBe(number);
    for (const number of numbers) expect(table.take(number)).toBe(number);
    expect([table.size, table.entries()]).toEqual([0, []]);
  });
});

test.each([0, 1, 256])('taking %i, which does not exist, changes nothing', (number) => {
  const table = new NumberedTable<string>();
  expect([table.take(number), table.size]).toEqual([undefined, 0]);
  table.add(512, 'other');
  expect([table.take(number), table.size]).toEqual([undefined, 1]);
});
