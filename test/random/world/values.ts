/**
 * Values of each type: a few usual ones, so that rows, literals and data often match, and extreme ones.
 */
import { codedOf } from '../evaluate/coded.js';
import { parseJson } from '../evaluate/json-value.js';
import { integer, parseDecimal } from '../evaluate/decimal.js';
import { withoutType } from '../evaluate/operators.js';
import { clockOf, type Known, momentOf } from '../evaluate/value.js';
import { dateOf } from '../evaluate/moment.js';
import { mariadbDialect } from '../../support/mariadb-dialect.js';
import type { Random } from '../random.js';
import { isExact, isInRange, typed } from '../write/typed.js';
import {
  enumValues,
  itemTypeOf,
  type Property,
  type PropertyType,
  type ScalarType,
} from './domain.js';

interface Pool {
  readonly usual: readonly string[];
  readonly extreme: readonly string[];
}

const texts = [
  '',
  'a',
  'A',
  'ab',
  'aB a',
  'b',
  'é',
  'É',
  'Zoë',
  'a%b',
  'a_b',
  '%',
  '_',
  'a\\b',
  '\\',
  "O'Neil",
  '"q"',
  ' ',
  ' a ',
  'banana',
  'the cat',
  'a\tb',
  'a\nb',
  '😀',
  'a😀b',
  '東京',
  '7',
  '-1.5',
];

/** A number in the JSON of MySQL is a double. */
const isExactInJson = mariadbDialect === 'MariaDB';

const pools: Readonly<Record<ScalarType, Pool>> = {
  integer: {
    usual: ['0', '1', '2', '3', '4', '5', '7', '-1', '-3', '10', '12'],
    extreme: ['2147483647', '-2147483648', '1000000', '65536'],
  },
  decimal: {
    usual: ['0', '1', '2', '-1', '0.5', '2.25', '-2.5', '10', '1.10', '99.99', '-0.01', '3'],
    extreme: [
      '12345678901234567890.123456789',
      '-99999999999999999999',
      '0.000000000000000000001',
      '9007199254740993',
      '1e15',
    ],
  },
  number: {
    usual: ['0', '1', '-1', '0.5', '2.25', '-2.5', '0.1', '0.2', '3', '100'],
    extreme: ['1e300', '-1e-300', '9007199254740993', '1.7976931348623157e308', '5e-324', '1e21'],
  },
  string: {
    usual: texts,
    extreme: [
      'x'.repeat(80),
      '😀'.repeat(40),
      '\u{e000}',
      '\u{ffff}',
      '\u{10ffff}',
      'line\nbreak\ttab\r\n',
      '\u0001\u001f\u007f\u0085\u2028',
      '\u00a0a\ufeff',
      'e\u0301',
      '=1+1,";\n"',
      '$1 ? :x --/*',
      '{"a": [1]}',
      'null',
      'true',
      '2024-02-29',
      ' 1e2 ',
    ],
  },
  uuid: {
    usual: [
      '00000000-0000-0000-0000-000000000000',
      '123e4567-e89b-42d3-a456-426614174000',
      '123e4567-e89b-42d3-a456-426614174001',
      'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      '0189f7e2-5d3c-7abc-8def-0123456789ab',
      '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    ],
    extreme: ['ffffffff-ffff-ffff-ffff-ffffffffffff'],
  },
  binary: {
    usual: ['', 'AA==', 'AAE=', 'YQ==', 'YWI=', '/+7dzLs=', 'eyJhIjoxfQ=='],
    // In an index of MariaDB, there is room for 255 bytes.
    extreme: ['XCcieAA=', '77u/', '/////w==', 'w6nD'.repeat(80), 'A'.repeat(320)],
  },
  json: {
    usual: [
      '{"a": "x", "n": 7, "on": true, "o": {"b": "é"}, "list": ["a", 1]}',
      '{"a": "", "n": -2.5, "on": false, "o": {"b": "7"}, "list": []}',
      '{"a": null, "n": "10", "on": null, "o": {}, "list": [{"b": 1}, null]}',
      '{"a": 7, "n": 1e3, "on": "true", "o": "b", "list": {"b": "a"}}',
      '{"a": "Zoë \\"q\\"", "n": 99.99}',
      '["a", 7, [true]]',
      '{}',
      '[]',
      '"a"',
      '7.50',
      'false',
    ],
    extreme: isExactInJson
      ? [
          '{"a": "😀 \\u0001\\n\\\\", "n": 12345678901234567890.123456789, "o": {"b": {"b": [[]]}}}',
          '{"n": 0.000000000000000000001, "a": "東京%_"}',
        ]
      : ['{"a": "東京%_", "n": 1e-21}'],
  },
  interval: {
    usual: ['PT0S', 'P1DT2H', 'PT1.5S', 'P1Y2M', 'PT-30M', 'P3D'],
    extreme: ['P1000Y', 'P-1Y-2M3DT-4H', 'PT0.000001S'],
  },
  inet: {
    usual: ['192.168.0.1', '10.0.0.0/8', '::1', 'fe80::/10', '0.0.0.0'],
    extreme: ['255.255.255.255', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  },
  enum: { usual: enumValues, extreme: enumValues },
  xml: {
    usual: ['', '<a/>', '<a b="c">é</a>', 'a &amp; b', '<a>1</a><a>2</a>', ' <a> </a> '],
    extreme: ['<![CDATA[<&>]]>', '<!-- 😀 --><?p q?>', `<a>${'x'.repeat(300)}</a>`, '&#9;%_\\\'"'],
  },
  any: { usual: ['a', 'b', '', '7', '1.50', 'true', '{"a":1}', 'é'], extreme: ['x'.repeat(300)] },
  boolean: { usual: ['true', 'false'], extreme: ['true'] },
  dateTime: {
    usual: [
      '2024-02-29T12:00:00.000Z',
      '2024-02-28T23:59:59.999Z',
      '2023-12-31T00:00:00.000Z',
      '2024-01-31T06:30:15.250Z',
      '2020-02-29T00:00:00.000Z',
      '2024-03-10T07:00:00.000Z',
      '1969-12-31T23:59:59.500Z',
    ],
    extreme: [
      '0001-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
      '1582-10-10T01:02:03.004Z',
      '1900-02-28T00:00:00.001Z',
      '2038-01-19T03:14:08.000Z',
    ],
  },
  date: {
    usual: ['2024-02-29', '2024-02-28', '2023-12-31', '2024-01-31', '2020-02-29', '1970-01-01'],
    extreme: ['0001-01-01', '9999-12-31', '1582-10-10', '1900-02-28'],
  },
  time: {
    usual: ['00:00:00', '12:00:00', '06:30:15.250', '23:59:59', '01:00:00'],
    extreme: ['23:59:59.999', '00:00:00.001'],
  },
};

/** The probability of an extreme value. */
const EXTREME = 0.12;

/** A value as text: digits, ISO 8601, or a string; an array is a JSON list of such texts. */
export function randomText(random: Random, type: PropertyType): string {
  if (isScalar(type)) {
    const { usual, extreme } = pools[type];
    return random.chance(EXTREME) ? random.pick(extreme) : random.pick(usual);
  }
  return listText(random, type, randomText);
}

/** A usual value as text. */
export function usualText(random: Random, type: PropertyType): string {
  return isScalar(type) ? random.pick(pools[type].usual) : listText(random, type, usualText);
}

function isScalar(type: PropertyType): type is ScalarType {
  return Object.hasOwn(pools, type);
}

const LENGTHS = [0, 1, 1, 2, 3, 4];

function listText(random: Random, type: PropertyType, textOf: typeof usualText): string {
  const item = itemTypeOf(type) ?? 'any';
  const ofItem = item === 'decimal' && !isExactInJson ? usualText : textOf;
  const items = Array.from({ length: random.pick(LENGTHS) }, () =>
    random.chance(0.12) ? null : ofItem(random, item),
  );
  return JSON.stringify(items);
}

/** The texts of the items of an array. */
export function itemTexts(text: string): readonly (string | null)[] {
  const items: unknown = JSON.parse(text);
  if (!Array.isArray(items)) throw new Error('no list');
  return items.map((each: unknown) => (each === null ? null : String(each)));
}

/** The value of a text of a type. */
export function valueOfText(type: PropertyType, text: string): Known {
  const item = itemTypeOf(type);
  if (item) {
    const items = itemTexts(text).map((each) => (each === null ? null : valueOfText(item, each)));
    return { kind: 'array', items };
  }
  switch (type) {
    case 'integer':
      return integer(BigInt(text));
    case 'decimal':
      return withoutType(parseDecimal(text));
    case 'number':
      return { kind: 'number', value: Number(text), near: false };
    case 'boolean':
      return text === 'true';
    case 'dateTime':
      return momentOf(text);
    case 'date':
      return dateOf(momentOf(text));
    case 'time':
      return clockOf(text);
    case 'uuid':
    case 'binary':
    case 'interval':
    case 'inet':
      return codedOf(type, text);
    case 'json':
      return { kind: 'json', data: parseJson(text) };
    case 'enum':
      return { kind: 'enum', text, place: enumValues.indexOf(text) };
    default:
      return text;
  }
}

const longTexts = [
  '9223372036854775807',
  '-9223372036854775808',
  '9007199254740992',
  '9007199254740993',
  '3000000000',
];

/** The probability of a 64-bit integer where one is possible. */
const LONG = 0.2;

/** A value that the property can store, as text: usual, or sometimes extreme. */
export function textFor(random: Random, property: Property, isUsual = false): string {
  const { type, isLong } = property;
  const isLongText = isLong && !isUsual && random.chance(LONG);
  const usual = isUsual ? usualText(random, type) : randomText(random, type);
  const text = isLongText ? random.pick(longTexts) : usual;
  const value = valueOfText(type, text);
  return isExact(property, value) && isInRange(property, typed(property, value)) ? text : '1';
}
