/** Random data for the parameters of random expressions. */
import { codedOf } from '../evaluate/coded.js';
import { type Data, Digits, isDataObject, Written } from '../evaluate/data.js';
import { clockOf, momentOf } from '../evaluate/value.js';
import { dateOf } from '../evaluate/moment.js';
import { parseJson } from '../evaluate/json-value.js';
import { type Decimal, decimalText, integer, parseDecimal } from '../evaluate/decimal.js';
import type { Random } from '../random.js';
import { itemTypeOf, type PropertyType } from '../world/domain.js';
import { itemTexts, randomText, usualText } from '../world/values.js';

const NULLS = 0.12;
/** The probability that a number is written as a string. */
const QUOTED = 0.08;

/** A value for each parameter, whose type is in its name. Unused data may be added. */
export function makeData(random: Random, parameters: Iterable<string>): Data {
  const data: Record<string, Data> = {};
  const type = random.pick(['decimal', 'decimal', 'string', 'boolean'] as const);
  for (const path of parameters) {
    const [first = '', second] = path.split('.');
    if (/^alike\d/.test(first)) data[first] = untyped(random, type);
    else if (first === 'alikes') data[first] = untypedList(random, type);
    else if (second === undefined) data[first] = valueFor(random, first);
    else data[first] = { ...objectAt(data[first]), [second]: valueFor(random, second) };
  }
  if (random.chance(0.1)) data['unused'] = [true, { a: null }];
  return data;
}

function objectAt(data: Data | undefined): object {
  return isDataObject(data) ? data : {};
}

const types: Readonly<Record<string, PropertyType>> = {
  i: 'integer',
  n: 'decimal',
  f: 'number',
  s: 'string',
  b: 'boolean',
  at: 'dateTime',
  d: 'date',
  t: 'time',
  uuid: 'uuid',
  bytes: 'binary',
  mood: 'enum',
  span: 'interval',
  net: 'inet',
};

function valueFor(random: Random, name: string): Data {
  switch (name) {
    case 'no':
      return whole(random, 1 + random.below(3));
    case 'size':
      return whole(random, 1 + random.below(6));
    case 'ids':
      return listOf(random, 'integer');
    case 'texts':
      return listOf(random, 'string');
    case 'days':
      return listOf(random, 'date');
    case 'uuids':
      return listOf(random, 'uuid');
    case 'moods':
      return listOf(random, 'enum');
    case 'big1':
      return numberData(random, parseDecimal(random.pick(bigTexts)));
    case 'open1':
      return simple(random);
    case 'word1':
    case 'word2':
      return word(random);
    case 'words':
      return Array.from({ length: random.below(4) }, () => word(random));
    case 'free1':
    case 'free2':
      return anything(random);
    default:
      return random.chance(NULLS)
        ? null
        : scalar(random, types[name.replace(/\d+$/, '')] ?? 'string');
  }
}

/** Numbers around the limits of 64 bits, and others that no integer equals. */
const bigTexts = [
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '99999999999999999999999999',
  '-1e25',
  '7',
  '2.5',
];

/** One of a few strings that only some collations distinguish. */
function word(random: Random): Data {
  return random.chance(NULLS) ? null : random.pick(['x', 'x ', 'X', 'é', 'f', '']);
}

/** A string, a number or a boolean, whose type is known only from its JSON. */
function simple(random: Random): Data {
  const type = random.pick(['string', 'boolean', 'decimal', 'number'] as const);
  if (type === 'decimal') return parseJson(usualText(random, type));
  if (type === 'number') return parseJson(random.pick(['1e-7', '1.50', '-0.0', '25e3', '0.5e-9']));
  return random.chance(NULLS) ? null : scalar(random, type);
}

type Untyped = 'decimal' | 'string' | 'boolean';

/** A value of that type, which is known only from its JSON. */
function untyped(random: Random, type: Untyped): Data {
  if (random.chance(NULLS)) return null;
  return type === 'decimal'
    ? parseJson(random.chance(0.5) ? String(8 + random.below(4)) : usualText(random, type))
    : scalar(random, type);
}

function untypedList(random: Random, type: Untyped): Data {
  return Array.from({ length: random.below(4) }, () => untyped(random, type));
}

/** Any JSON value. */
function anything(random: Random): Data {
  const type = random.pick(['json', 'json', 'string', 'boolean', 'string[]', 'decimal'] as const);
  if (type === 'decimal') return parseJson(usualText(random, type));
  return random.chance(NULLS) ? null : scalar(random, type);
}

/** Empty lists, lists with nulls, long lists, and null instead of a list. */
function listOf(random: Random, type: PropertyType): Data {
  if (random.chance(0.05)) return null;
  const length = random.pick([0, 1, 2, 3, 5, 40]);
  return Array.from({ length }, () => (random.chance(0.08) ? null : scalar(random, type)));
}

/** A value of that type. */
export function scalar(random: Random, type: PropertyType): Data {
  return scalarOf(
    random,
    type,
    random.chance(0.9) ? usualText(random, type) : randomText(random, type),
  );
}

/** The data of a text; dates, UUIDs and bytes in one of their possible spellings. */
export function scalarOf(random: Random, type: PropertyType, text: string): Data {
  const item = itemTypeOf(type);
  if (item)
    return itemTexts(text).map((each) => (each === null ? null : scalarOf(random, item, each)));
  switch (type) {
    case 'integer':
      return numberData(random, integer(BigInt(text)));
    case 'decimal':
    case 'number':
      return numberData(random, parseDecimal(text));
    case 'boolean':
      return text === 'true';
    case 'dateTime': {
      const written = random.pick([text, text, withOffset(text), text.slice(0, 10)]);
      return new Written(written, momentOf(written));
    }
    case 'date': {
      const written = random.pick([text, text, text, `${text}T23:59:59.999Z`]);
      return new Written(written, dateOf(momentOf(written)));
    }
    case 'time':
      return new Written(text, clockOf(text));
    case 'uuid': {
      const written = random.pick([text, text, text.toUpperCase()]);
      return new Written(written, codedOf(type, written));
    }
    case 'json':
      return parseJson(text);
    case 'inet': {
      const longer = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
      return new Written(random.pick([text, text.toUpperCase(), longer]), codedOf(type, text));
    }
    case 'binary':
    case 'interval':
      return new Written(text, codedOf(type, text));
    default:
      return text;
  }
}

/** The same instant, written with another offset. */
function withOffset(text: string): string {
  const later = Date.parse(text) + 3_600_000;
  const isInRange = text > '0001-02' && text < '9999-12-30';
  return isInRange ? new Date(later).toISOString().replace('Z', '+01:00') : text;
}

function whole(random: Random, value: number): Data {
  return numberData(random, integer(BigInt(value)));
}

/** A number, sometimes as a string in one of its possible spellings. */
export function numberData(random: Random, value: Decimal): Digits {
  if (!random.chance(QUOTED)) return new Digits(value);
  const digits = decimalText(value);
  const longer = digits.replace(/^-?/, '$&00');
  const spelled = value.isInteger ? longer : random.pick([`${digits}e0`, `${longer}e-0`]);
  return new Digits(value, random.pick([digits, digits.replace(/^(?!-)/, '+'), spelled]));
}
