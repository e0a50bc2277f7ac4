/**
 * Whatever data a query of any property type gets, it is answered with 200 or 4xx, and what a write
 * acknowledges can be read.
 */
import { expect } from 'vitest';
import { loadedServers } from '../support/http-servers.js';
import {
  describeDatabases,
  propertyOf,
  useGateway,
  type ValueType,
  valueTypes,
} from './gateways.js';
import { fuzz } from './inputs.js';
import { changeText, changeTree, oddValues } from './mutate.js';
import type { Random } from '../random/random.js';

const UUID = '123e4567-e89b-42d3-a456-426614174000';
const MOMENTS =
  '2024-02-29T12:30:00.123456Z 1999-12-31 0001-01-01T00:00Z 9999-12-31T23:59:59.9+14:00';
const moments = MOMENTS.split(' ');
const integers = [0, 7, -7, 2147483647, -2147483648];
const decimals = [0.1, -20.8, '12345678901234567890.123456789', 1e-10, 123e20];

/** Values that fit. */
const fitting: Readonly<Record<ValueType, readonly unknown[]>> = {
  integer: integers,
  bigint: [...integers, '9223372036854775807', -9007199254740991, '-9223372036854775808'],
  decimal: decimals,
  number: [0.1, 1e300, -5e-324, 1.7976931348623157e308, 1e-7, 123456789.125],
  string: ['', 'x', "it's", 'ü "q" \\', '😀'.repeat(50), '%_', '\t\n\u0001', 'NULL', '{a,b}'],
  boolean: [true, false],
  dateTime: moments,
  date: moments,
  time: ['12:30:00', '00:00', '23:59:59.999999', '24:00:00'],
  json: [{ a: [1, 'x', null] }, [1, 2], 'x', 1, true, { '': {} }],
  uuid: [UUID, UUID.toUpperCase()],
  binary: ['', 'AA==', '/+8=', 'aGVsbG8'],
  interval: ['P1Y2M', 'PT1H', '1 day', '-P1D'],
  inet: ['127.0.0.1', '::1', '10.0.0.0/8'],
  xml: ['<a/>', '<a b="c">d</a>', 'text'],
  any: ['x', 1, true, [1], { a: 1 }],
  'integer[]': [[], integers, [1, null]],
  'decimal[]': [decimals, [null]],
  'number[]': [[0.1, 1e300]],
  'string[]': [['', 'NULL', 'null', 'a,b', '{"x"}', '\\', null]],
  'boolean[]': [[true, false, null]],
  'dateTime[]': [moments],
  'uuid[]': [[UUID]],
};

/** Queries with the parameter `x` for a property. */
const reads: readonly ((property: string) => string)[] = [
  ...['==', '!=', '<', '>=', '+', '-', '*', '/', '%', '**', '&', '<<', '??', '&&'].map(
    (operator) => (p: string) => `Values.filter(p=>p.id<5).map(p=>({v: p.${p} ${operator} x}))`,
  ),
  (p) => `Values.filter(p=>p.${p}==x).map(p=>[p.id])`,
  (p) => `Values.filter(p=>in(p.${p}, x) || between(p.${p}, x, x)).map(p=>[p.id])`,
  (p) => `Values.filter(p=>isNull(x) || p.${p}==nvl(x, p.${p})).first(p=>p.id)`,
  (p) => `Values.filter(p=>contains(p.${p}, x)).count()`,
  (p) => `Values.filter(p=>p.${p} in x).count()`,
  (p) => `Values.map(p=>({v: x, w: toString(p.${p}), n: count()})).page(1, 2)`,
  () => 'Values.map(p=>[p.id]).page(x, y)',
  () =>
    'Values.filter(p=>p.id==1).map(p=>({v: x, l: lower(x), t: date(y), r: round(y, x), s: substring(x, y)}))',
];

/** Some queries read all rows. */
const ROWS_MAX = 500;

interface Asked {
  readonly query: string;
  readonly data: unknown;
  /** Whether strings of digits are sent as numbers, which may have more digits than a double. */
  readonly isExact?: boolean;
}

function makeValue(random: Random, type: ValueType): unknown {
  const value = random.pick(fitting[type]);
  return random.pick<() => unknown>([
    () => value,
    () => value,
    () => random.pick(oddValues),
    () => changeTree(random, value),
    () => random.pick(fitting[random.pick(valueTypes)]),
    () => (typeof value === 'string' ? changeText(random, value, [...' 0-:.TZ+e\0\ud800']) : value),
    () => (random.below(2 ** 31) - 2 ** 30) * 10 ** (random.below(60) - 30),
    () => random.below(2 ** 31),
  ])();
}

function makeAsked(random: Random): Asked {
  const type = random.pick(valueTypes);
  const property = propertyOf(type);
  const [x, y] = [makeValue(random, type), makeValue(random, type)];
  const kinds: readonly (readonly [query: string, data: unknown])[] = [
    [random.pick(reads)(property), { x, y }],
    ['Values.insert()', { [property]: x }],
    ['Values.upsert()', { id: 1 + random.below(5), [property]: x }],
    [`Values.update({${property}: x}).filter(p=>p.id==1)`, { x }],
    ['Values.bulkInsert()', [{ [property]: x }, { [property]: y }]],
    [`Values.bulkUpsert({id: id, ${property}: x})`, [{ id: 2, x }].concat({ id: 3, x: y })],
  ];
  const [query, data] = random.pick(kinds);
  return { query, data, isExact: random.chance(0.3) };
}

describeDatabases('data', (database) => {
  const gateway = useGateway(database, loadedServers()[0] ?? 'node');

  let stored = 0;
  const execute = async ({ query, data, isExact }: Asked) => {
    const text = JSON.stringify({ query, data });
    const exact = isExact ? text.replaceAll(/"(-?(?:0|[1-9]\d*)(?:\.\d+)?)"/g, '$1') : text;
    return gateway.post('/execute', exact);
  };

  fuzz<Asked>('random values', {
    usual: 2000,
    make: makeAsked,
    check: async (asked) => {
      const { status, text } = await execute(asked);
      if (status >= 400 && status < 500) return;
      if (status !== 200) throw new Error(`${status} ${text}`);
      if (!/insert|upsert/i.test(asked.query)) return;
      stored += 1;
      if (stored % ROWS_MAX === 0) {
        await execute({ query: 'Values.delete().filter(p=>p.id>5)', data: {} });
        return;
      }
      const rows = [JSON.parse(text)].flat() as { readonly id: number }[];
      const ids = rows.map(({ id }) => id);
      const read = await execute({
        query: 'Values.filter(p=>in(p.id, ids)).sort(p=>p.id)',
        data: { ids },
      });
      // The numbers are compared as texts.
      expect(read.text).toBe(text.startsWith('[') ? text : `[${text}]`);
    },
  });
});
