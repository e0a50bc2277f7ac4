/** The properties of a random entity, and its keys. */
import type { Random } from '../random.js';
import {
  itemTypeOf,
  itemTypes,
  type Property,
  type PropertyType,
  type ScalarType,
} from './domain.js';
import { type Draft, keyTypes } from './draft.js';
import { textFor } from './values.js';

const types: readonly ScalarType[] = [
  'integer',
  'decimal',
  'number',
  'string',
  'boolean',
  'dateTime',
  'date',
  'time',
  'uuid',
  'binary',
  'json',
  'xml',
  'any',
  'enum',
  'interval',
  'inet',
];

/** Names for each type; some are also names of functions, clauses and SQL keywords. */
const names: Readonly<Record<ScalarType, readonly string[]>> = {
  integer: ['size', 'count', 'year'],
  decimal: ['price', 'sum', 'value'],
  number: ['ratio', 'log'],
  string: ['name', 'first', 'order', 'title', 'select'],
  boolean: ['open', 'in', 'exists'],
  dateTime: ['made', 'at', 'now'],
  date: ['day', 'date'],
  time: ['clock', 'time'],
  uuid: ['token', 'uuid'],
  binary: ['blob', 'bytes'],
  json: ['doc', 'json'],
  xml: ['page', 'xml'],
  any: ['extra', 'any'],
  enum: ['mood', 'enum'],
  interval: ['span', 'interval'],
  inet: ['net', 'inet'],
};

interface Wanted {
  readonly hasAllTypes: boolean;
  /** Whether it has many rows, which are kept short. */
  readonly isCrowd: boolean;
}

/** Adds keys and columns to the draft. */
export function makeProperties(
  random: Random,
  draft: Draft,
  { hasAllTypes, isCrowd }: Wanted,
): void {
  addKey(random, draft, isCrowd);
  const chosen: PropertyType[] = hasAllTypes
    ? [...types]
    : random.some(types, isCrowd ? 3 : 3 + random.below(4));
  const items = random.some(itemTypes, hasAllTypes ? 3 : random.below(isCrowd ? 2 : 3));
  chosen.push(...items.map((item) => `${item}[]` as const));
  for (const type of chosen) addProperty(random, draft, type);
  addProperty(random, draft, 'string');
  if (random.chance(0.5)) addProperty(random, draft, 'integer');
  if (random.chance(0.4)) addUniqueKey(random, draft, isCrowd);
}

/** A generated key, a given key, a key of two columns, or none. */
function addKey(random: Random, draft: Draft, isCrowd: boolean): void {
  const kind = random.weighted([
    [5, 'generated'],
    [isCrowd ? 0 : 4, 'given'],
    [3, 'two'],
    [draft.name.includes('.') ? 0.5 : 0, 'none'],
  ] as const);
  if (kind === 'none') return;
  if (kind === 'generated') {
    const kept = { required: false, autoIncrement: true, ...sizeOfInteger(random) };
    draft.properties.push(made(random, 'id', 'integer', kept));
  } else if (kind === 'given') {
    const type = random.weighted(keyTypes);
    draft.properties.push(made(random, 'code', type, { required: true, ...keySize(random, type) }));
  } else {
    const second = random.weighted(keyTypes);
    draft.properties.push(made(random, 'part', 'integer', { required: true }));
    draft.properties.push(
      made(random, 'kind', second, { required: true, ...keySize(random, second) }),
    );
  }
  draft.primaryKey = draft.properties.map(({ name }) => name);
}

function keySize(random: Random, type: PropertyType): Partial<Property> {
  return type === 'integer' ? sizeOfInteger(random) : lengthOf(type, 90);
}

function sizeOfInteger(random: Random): Partial<Property> {
  return random.chance(0.4) ? { isLong: true } : {};
}

function addProperty(random: Random, draft: Draft, type: PropertyType): void {
  const free = namesOf(type).filter((name) => draft.properties.every((each) => each.name !== name));
  if (free.length === 0) return;
  const required = random.chance(0.25);
  const property = made(random, random.pick(free), type, { required, ...boundsOf(random, type) });
  const hasDefault = random.chance(0.25) && literalTypes.includes(type);
  const text = hasDefault ? textFor(random, property, true) : undefined;
  draft.properties.push({
    ...property,
    ...(text !== undefined && { default: literalOf(type, text) }),
  });
}

function namesOf(type: PropertyType): readonly string[] {
  const item = itemTypeOf(type);
  if (item) return [`${item}s`, `${item}List`];
  return Object.entries(names).find(([each]) => each === type)?.[1] ?? [];
}

/** The types whose defaults are literals. */
const literalTypes: readonly PropertyType[] = types.filter(
  (type) => !['any', 'binary', 'json', 'xml'].includes(type),
);

/** The length of a string, 64 bits of an integer, or the digits of a decimal. */
function boundsOf(random: Random, type: PropertyType): Partial<Property> {
  if (type === 'string') return { length: random.pick([80, 90, 255]) };
  if (type === 'integer') return sizeOfInteger(random);
  if (type !== 'decimal' || random.chance(0.6)) return {};
  const [precision, scale] = random.pick([
    [5, 2],
    [8, 3],
    [3, 1],
    [20, 0],
  ] as const);
  return { digits: { precision, scale } };
}

function literalOf(type: PropertyType, text: string): string | number | boolean {
  if (type === 'boolean') return text === 'true';
  return type === 'integer' || type === 'decimal' || type === 'number' ? Number(text) : text;
}

/** A unique key of one or two columns whose types have enough values. */
function addUniqueKey(random: Random, draft: Draft, isCrowd: boolean): void {
  const fitting = draft.properties.filter(
    ({ type, name }) =>
      ['string', 'integer', 'decimal', 'uuid'].includes(type) && !draft.primaryKey.includes(name),
  );
  if (isCrowd || fitting.length === 0) return;
  draft.uniqueKey = random.some(fitting, 1 + random.below(2)).map(({ name }) => name);
}

export function lengthOf(type: PropertyType, length: number): { readonly length?: number } {
  return type === 'string' ? { length } : {};
}

export function made(
  random: Random,
  name: string,
  type: PropertyType,
  more: Omit<Property, 'name' | 'type' | 'column'>,
): Property {
  const column = random.pick([
    name,
    name,
    name.toUpperCase(),
    `${name} Of`,
    `"${name}X"`,
    `_${name}`,
  ]);
  return { name, type, column, ...more };
}
