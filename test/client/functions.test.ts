/** Every operator and function of the language, with the examples of the documents. */
import { compileFunction } from 'node:vm';
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import * as client from '../../clients/typescript/src/index.js';
import { functionTable } from '../../src/engine/query/functions/table.js';
import { useSampleClient } from './sample-client.js';

const { db } = useSampleClient();
const one = db.Shippers.filter((s) => client.eq(s.id, 1));

/** `in` is a reserved word in JavaScript. */
const exported = new Map<string, unknown>(Object.entries({ ...client, in: client.isIn }));

/**
 * Replace two examples: that of `curTime` uses an operator, and in that of `includes`, both arguments would be parameters,
 * which could be two strings as well as a list and an item.
 */
const written = new Map<string, () => client.Expression>([
  ['curTime', () => client.eq(client.curTime(), client.curTime())],
  ['includes', () => client.includes(client.literal('50% off'), '%')],
]);

test('the client has every function of the language', () => {
  const names = functionTable.map(({ name }) => name);
  expect(names.filter((name) => typeof exported.get(name) !== 'function')).toEqual([]);
});

describe('the examples of the functions', () => {
  const answers = new Map<string, unknown>();

  beforeAll(async () => {
    for (const { name, example } of functionTable) {
      const expression = written.get(name)?.() ?? recordedExample(example[0]);
      const asked = one.map(() => ({ it: expression })).run();
      answers.set(name, await asked.then(([row]) => row?.it).catch(String));
    }
  });

  test.each(functionTable)('$name gives the same with parameters', ({ name, example }) => {
    expect(answers.get(name)).toEqual(JSON.parse(example[1]));
  });
});

/** Evaluates the example as JavaScript, with the functions of the client. */
function recordedExample(call: string): client.Expression {
  const names = [...exported.keys()].filter((name) => name !== 'in');
  const text = call.replace(/\bin\(/g, 'isIn(');
  const evaluate = compileFunction(`return ${text};`, names);
  return evaluate(...names.map((name) => exported.get(name)));
}

test('operators have the same results as in the language', async () => {
  const row = await one
    .map((s) => ({
      eq: client.eq(s.id, 1),
      ne: client.ne(s.id, 1),
      lt: client.lt(s.id, 1),
      le: client.le(s.id, 1),
      gt: client.gt(s.id, 0),
      ge: client.ge(s.id, 2),
      and: client.and(client.eq(s.id, 1), client.eq(s.name, 'x'), true),
      or: client.or(client.eq(s.id, 1), client.eq(s.name, 'x')),
      not: client.not(client.eq(s.id, 1)),
      add: client.add(s.id, 2),
      subtract: client.subtract(s.id, 2),
      multiply: client.multiply(s.id, '2.5'),
      divide: client.divide(s.id, 4),
      modulo: client.modulo(7, client.add(s.id, 2)),
      raise: client.raise(3, client.literal(2)),
      root: client.root(27, 3),
      negate: client.negate(s.id),
      bitAnd: client.bitAnd(6, client.literal(3n)),
      bitOr: client.bitOr(client.literal(6n), 3),
      bitXor: client.bitXor(client.literal(6n), 3),
      bitNot: client.bitNot(s.id),
      shiftLeft: client.shiftLeft(s.id, 4),
      shiftRight: client.shiftRight(client.literal(256n), 2),
      when: client.when(client.eq(s.id, 1), s.name, 'other'),
      otherwise: client.when(client.eq(s.id, 2), 'other', s.phone),
      literal: client.literal('it\'s "so"\n'),
      negative: client.subtract(s.id, client.literal(-1)),
    }))
    .first()
    .run();
  expectTypeOf(row?.eq).toEqualTypeOf<boolean | undefined>();
  expectTypeOf(row?.divide).toEqualTypeOf<number | null | undefined>();
  expectTypeOf(row?.when).toEqualTypeOf<string | undefined>();
  expectTypeOf(row?.otherwise).toEqualTypeOf<string | null | undefined>();
  expect(row).toEqual({
    ...{ eq: true, ne: false, lt: false, le: true, gt: true, ge: false },
    ...{ and: false, or: true, not: false },
    ...{ add: 3, subtract: -1, multiply: 2.5, divide: 0.25, modulo: 1, raise: 9, root: 3 },
    ...{ negate: -1, bitAnd: 2, bitOr: 7, bitXor: 5, bitNot: -2, shiftLeft: 16, shiftRight: 64 },
    ...{ when: 'Swift Parcel', otherwise: '(503) 555-0142', literal: 'it\'s "so"\n', negative: 2 },
  });
});

test('the results of functions are typed', () => {
  const rows = db.Orders.map((o) => ({
    upper: client.upper(o.customerId),
    lower: client.lower(o.name),
    year: client.year(o.orderDate),
    coalesced: client.coalesce(o.name, o.customerId),
    nvl: client.nvl(o.freight, 0),
    year2: client.year(client.coalesce(o.orderDate, o.name)),
    round: client.round(o.freight),
    kept: client.round(o.id, 2),
    sqrt: client.sqrt(o.id),
    isNull: client.isNull(o.name),
    text: client.toString(o.id),
    today: client.today(),
    like: client.like(o.name, 'a%'),
    n: o.details.count(),
    any: client.exists(o.details),
  }));
  expectTypeOf<Awaited<ReturnType<typeof rows.run>>[number]>().toEqualTypeOf<{
    upper: string;
    lower: string | null;
    year: number | null;
    coalesced: string;
    nvl: number;
    year2: number | null;
    round: number | null;
    kept: number;
    sqrt: number | null;
    isNull: boolean;
    text: string;
    today: string;
    like: boolean | null;
    n: number;
    any: boolean;
  }>();
});
