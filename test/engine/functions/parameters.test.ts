/** Parameters in function calls: their inferred types, and the values that are sent. */
import { expect, test } from 'vitest';
import {
  parameterText,
  readArguments,
  parameterizeStatement,
} from '../../../src/engine/input/arguments.js';
import { ExactNumber } from '../../../src/engine/values/data-value.js';
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

test.each([
  ['uuid', 'abc', 'a UUID, but was given a string that is not one'],
  ['uuid', 5, 'a UUID, but was given an integer'],
  ['decimal', '1,5', 'a decimal, but was given a string that is not one'],
  ['integer', 1.5, 'an integer, but was given a number that is not one'],
  ['integer', new ExactNumber('1e30'), 'an integer, but was given a number that is not one'],
  ['integer', '7 ', 'an integer, but was given a string that is not one'],
  ['boolean', 'true', 'a boolean (true or false), but was given a string'],
  ['date', '1.2.2024', 'an ISO 8601 date (YYYY-MM-DD), but was given a string that is not one'],
  ['date', '2023-02-29', 'an ISO 8601 date (YYYY-MM-DD), but 2023-02-29 does not exist'],
  [
    'dateTime',
    '2024-01-01T25:00',
    'an ISO 8601 date and time (YYYY-MM-DDTHH:MM:SSZ), but was given a string that is not one',
  ],
  ['time', '25:00', 'a time (HH:MM:SS, up to 23:59:59), but was given a string that is not one'],
  [
    'string',
    'a\0',
    'a string (of well-formed Unicode without U+0000), but was given a string with U+0000',
  ],
  [
    'string',
    '\ud800',
    'a string (of well-formed Unicode without U+0000), but was given a string with half a surrogate pair',
  ],
  [
    'integer[]',
    [null, 2, 'x'],
    'a list, each item an integer, but in item [2] was given a string that is not one',
  ],
  ['integer[]', '[1]', 'a list, each item an integer, but was given a string'],
] as const)('of the type %s, %j is refused with the reason', (type, value, reason) => {
  expect(() => parameterText({ name: 'v', type }, value)).toThrowError(
    expect.objectContaining({
      code: 'parameter-type',
      message: `Parameter 'v' takes ${reason}.`,
      place: 'data.v',
    }),
  );
});

test('now, today and curTime are the same instant in all statements of a request', () => {
  const plan = compile(
    'Orders.filter(p=>p.orderDate<now()).include(p=>p.details.filter(d=>year(today())>d.quantity && curTime()==curTime()))',
  );
  const values = readArguments(plan, {}, '2024-02-29T23:30:00.5-01:00');
  expect(parameterizeStatement(plan.root, values, []).parameters).toEqual([
    '2024-03-01T00:30:00.500000Z',
  ]);
  const [details] = plan.root.includes;
  expect(
    details && parameterizeStatement(details.statement, values, ['1']).parameters.slice(1),
  ).toEqual(['2024-03-01', '00:30:00.500000', '00:30:00.500000']);
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
  return parameterizeStatement(plan.root, readArguments(plan, data), []).parameters;
}

test('a missing parameter is an error that names a similar member of the data', () => {
  const plan = compile('Products.filter(p=>p.name==name && p.price>limits.low)');
  expect(() => readArguments(plan, { nmae: 'x', limits: { low: 1 } })).toThrow(
    expect.objectContaining({
      code: 'parameter-missing',
      place: 'data.name',
      hint: "The data has 'nmae', which no parameter uses.",
    }),
  );
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`nam${index}`, 1]));
  for (const data of [{}, { limits: { low: 1 }, other: 1 }, many]) {
    expect(() => readArguments(plan, data)).toThrow(
      expect.objectContaining({
        hint: `Send it as "data": {"name": …}, or write 'p.name' for a property of the row p.`,
      }),
    );
  }
  expect(() => readArguments(plan, { name: 'x' })).toThrow(
    expect.objectContaining({
      hint: "If 'limits' stands for a row, its lambda must begin with 'limits=>'.",
    }),
  );
});

test.each(['p.name.includes(names)', 'p.name==names'])(
  'a list for a single value in %s is refused with a hint',
  (condition) => {
    const plan = compile(`Products.filter(p=>${condition})`);
    expect(() => readArguments(plan, { names: ['a', 'b'] })).toThrow(
      expect.objectContaining({
        code: 'parameter-type',
        place: 'data.names',
        hint: 'To find a value in a list, write in(value, list) or list.includes(value).',
      }),
    );
  },
);
