/** Parameters in function calls: their inferred types, and the values that are sent. */
import { expect, test } from 'vitest';
import { readArguments, statementArguments } from '../../../src/engine/input/arguments.js';
import { compile } from './compile-call.js';

const inferred: readonly (readonly [condition: string, types: Readonly<Record<string, string>>])[] =
  [
    ['in(p.id, ids)', { ids: '[integer]' }],
    ['names.includes(p.name)', { names: '[string]' }],
    ['includes(p.name, part)', { part: 'string' }],
    ['startsWith(s, "a") && s.includes(p.name)', { s: 'string' }],
    ['between(p.price, a, b)', { a: 'decimal', b: 'decimal' }],
    ['between(x, 1, p.id)', { x: 'integer' }],
    ['between(x, 1, 2)', { x: 'integer' }],
    ['in(p.id, entity.ids)', { 'entity.ids': '[integer]' }],
    ['in(x, xs)', { x: 'any', xs: '[any]' }],
    ['nvl(x, y) == p.name', { x: 'string', y: 'string' }],
    ['year(d) > lead', { d: 'dateTime', lead: 'integer' }],
    ['round(n, k) > 1', { n: 'decimal', k: 'integer' }],
    ['in(p.discontinued, flags)', { flags: '[boolean]' }],
  ];

test.each(inferred)('the parameters of %s have types', (condition, types) => {
  const { parameters } = compile(`Products.filter(p=>${condition})`);
  expect(Object.fromEntries(parameters.map(({ name, type }) => [name, type]))).toEqual(types);
});

test('a list is one array for PostgreSQL, and one placeholder for each item for MySQL', () => {
  const data = { ids: [1, null, 3] };
  expect(argumentsOf('in(p.id, ids)', data, 'PostgreSQL')).toEqual(['{1,NULL,3}']);
  expect(argumentsOf('in(p.id, ids)', data, 'MySQL')).toEqual(['1', null, '3']);
});

test.each([
  [1, 1],
  [2, 2],
  [3, 3],
  [5, 6],
  [6, 6],
  [7, 8],
  [9, 12],
  [13, 16],
  [100, 128],
])('a list of %i is padded to %i placeholders for MySQL', (length, filled) => {
  const ids = Array.from({ length }, (_, index) => index);
  const sent = argumentsOf('in(p.id, ids)', { ids }, 'MySQL');
  expect(sent).toEqual(Array.from({ length: filled }, (_, at) => String(Math.min(at, length - 1))));
});

test('an item of another type is refused with its place', () => {
  expect(() => argumentsOf('in(p.id, ids)', { ids: [1, 'x'] }, 'PostgreSQL')).toThrowError(
    expect.objectContaining({ code: 'parameter-type', place: 'data.ids[1]' }),
  );
});

test('a single value is not accepted as a list', () => {
  expect(() => argumentsOf('in(p.id, ids)', { ids: 1 }, 'PostgreSQL')).toThrowError(
    "Parameter 'ids' takes a list in which each item is an integer, but was given an integer.",
  );
});

test('now, today and curTime are the same instant in all statements of a request', () => {
  const plan = compile(
    'Orders.filter(p=>p.orderDate<now()).include(p=>p.details.filter(d=>year(today())>d.quantity && curTime()==curTime()))',
  );
  const values = readArguments(plan, {}, '2024-02-29T23:30:00.5-01:00');
  expect(statementArguments(plan.root, values, [])).toEqual(['2024-03-01T00:30:00.500000Z']);
  const [details] = plan.root.includes;
  expect(details && statementArguments(details.statement, values, ['1']).slice(1)).toEqual([
    '2024-03-01',
    '00:30:00.500000',
    '00:30:00.500000',
  ]);
});

test('no text of an expression becomes SQL text', () => {
  const hostile = "x'); DROP TABLE Products; --";
  const call = `concat(replace(p.name, "${hostile}", "${hostile}"), lpad("${hostile}", 3, "${hostile}"))`;
  for (const dialect of ['PostgreSQL', 'MySQL'] as const) {
    expect(compile(`Products.map(p=>({r: ${call}}))`, dialect).root.text).not.toContain('DROP');
  }
});

function argumentsOf(
  condition: string,
  data: Parameters<typeof readArguments>[1],
  dialect: 'PostgreSQL' | 'MySQL',
) {
  const plan = compile(`Products.filter(p=>${condition})`, dialect);
  return statementArguments(plan.root, readArguments(plan, data), []);
}
