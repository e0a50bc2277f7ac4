/** Random objects to write. Most are valid, and some have a duplicate key or an invalid reference. */
import { codedOf } from '../evaluate/coded.js';
import { type Data, Digits, Written } from '../evaluate/data.js';
import { decimal, integer } from '../evaluate/decimal.js';
import type { Row, Tables } from '../evaluate/tables.js';
import { clockText, momentText } from '../evaluate/moment.js';
import {
  isArrayValue,
  isClock,
  isCoded,
  isDecimal,
  isDouble,
  isEnumValue,
  isJsonValue,
  isMoment,
  type Value,
} from '../evaluate/value.js';
import type { Random } from '../random.js';
import {
  type Domain,
  type Entity,
  entityNamed,
  type Property,
  type Relation,
} from '../world/domain.js';
import { textFor, usualText } from '../world/values.js';
import { numberData, scalar, scalarOf } from './data.js';
import { withRead } from './with-read.js';

/** What objects are generated from. */
export interface GeneratorState {
  readonly random: Random;
  readonly domain: Domain;
  readonly tables: Tables;
}

export type MutableObject = Record<string, Data>;

/**
 * The probabilities of a missing property, of null, and of a wrong value (duplicate, invalid reference,
 * too long, too large).
 */
const ABSENT = 0.2;
const NULL = 0.1;
const WRONG = 0.02;

/** An object of the entity with a new key, without the properties in `without`. */
export function newObject(
  state: GeneratorState,
  entity: Entity,
  without: readonly string[] = [],
): MutableObject {
  const { random } = state;
  const object: MutableObject = {};
  for (const property of entity.properties) {
    const { name, required, autoIncrement } = property;
    const isKey = entity.primaryKey.includes(name);
    if (without.includes(name) || (autoIncrement && random.chance(0.9))) continue;
    const isLeftOut = (!required || random.chance(0.05)) && !isKey && random.chance(ABSENT);
    if (!isLeftOut) object[name] = valueFor(state, entity, property);
  }
  refer(state, entity, object, without);
  if (random.chance(0.05)) object['other'] = { x: [true] };
  return object;
}

/** An object with the key of an existing row, and some properties to change. */
export function knownObject(
  state: GeneratorState,
  entity: Entity,
  key = entity.primaryKey,
): MutableObject {
  const { random, tables } = state;
  const rows = tables.get(entity.name) ?? [];
  const object: MutableObject = {};
  if (rows.length === 0) return withKey(state, entity, newObject(state, entity));
  const row = random.pick(rows);
  const others = entity.properties.filter(
    ({ name, autoIncrement }) => !key.includes(name) && !autoIncrement,
  );
  const free = others.filter(({ name }) => !entity.primaryKey.includes(name));
  for (const property of withRead(random, free, random.some(free, 1 + random.below(3)))) {
    object[property.name] = valueFor(state, entity, property);
  }
  refer(state, entity, object, [...key, ...entity.primaryKey]);
  for (const name of key) object[name] = dataOf(random, row.get(name) ?? null);
  return object;
}

/** The object with a key that hardly any row has. */
export function withKey(
  { random }: GeneratorState,
  { properties, primaryKey }: Entity,
  object: MutableObject,
): MutableObject {
  for (const property of properties) {
    if (primaryKey.includes(property.name)) object[property.name] = freshValue(random, property);
  }
  return object;
}

/** A value for the property. */
export function valueFor(state: GeneratorState, entity: Entity, property: Property): Data {
  const { random } = state;
  const { name, type, required } = property;
  const isKey = [...entity.primaryKey, ...entity.uniqueKey].includes(name);
  if (random.chance(required || isKey ? WRONG : NULL)) return null;
  const relation = entity.relations.find(
    ({ from, declared, isMany }) => from.includes(name) && declared !== undefined && !isMany,
  );
  if (relation) return referenceFor(state, relation, property);
  // After the largest possible key, no more keys could be generated.
  const isFresh = property.autoIncrement === true || !random.chance(2 * WRONG);
  if (isKey && isFresh) return freshValue(random, property);
  if (random.chance(WRONG)) return wrongValue(random, property);
  return scalarOf(random, type, textFor(random, property, random.chance(0.9)));
}

/** The key of an existing row, and sometimes of none. */
function referenceFor(state: GeneratorState, relation: Relation, property: Property): Data {
  const { random, domain, tables } = state;
  const rows = tables.get(entityNamed(domain, relation.entity).name) ?? [];
  if (rows.length === 0 || random.chance(2 * WRONG)) return freshValue(random, property);
  const other = relation.to[relation.from.indexOf(property.name)] ?? '';
  return dataOf(random, random.pick<Row>(rows).get(other) ?? null);
}

/** Gives foreign keys of two columns the key of one row, except for the properties in `fixed`. */
function refer(
  { random, domain, tables }: GeneratorState,
  entity: Entity,
  object: MutableObject,
  fixed: readonly string[],
): void {
  for (const { from, to, entity: target, declared, isMany } of entity.relations) {
    const isGiven = from.some((name) => object[name] !== undefined);
    const hasNull = from.some((name) => object[name] === null);
    if (!declared || isMany || from.length === 1 || !isGiven || hasNull || random.chance(2 * WRONG))
      continue;
    const rows = tables.get(entityNamed(domain, target).name) ?? [];
    const row = rows.length > 0 ? random.pick<Row>(rows) : undefined;
    for (const [index, name] of from.entries()) {
      const value = row?.get(to[index] ?? '') ?? null;
      if (value !== null && !fixed.includes(name)) object[name] = dataOf(random, value);
    }
  }
}

/** A value that is unlikely to exist already. */
function freshValue(random: Random, { type, length }: Property): Data {
  const number = BigInt(1000 + random.below(100_000));
  switch (type) {
    case 'integer':
      return numberData(random, integer(number));
    case 'decimal':
      return numberData(random, decimal(number, 2));
    case 'string':
      return `${usualText(random, 'string')}${number}`.slice(0, length);
    case 'uuid': {
      const text = `${usualText(random, type).slice(0, -6)}${number.toString(16).padStart(6, '0')}`;
      return new Written(text, codedOf(type, text));
    }
    default:
      return scalar(random, type);
  }
}

/** A text that is too long, not in the enum or no number, or a number beyond the range of the column. */
function wrongValue(random: Random, { type, isLong, digits, length = 80 }: Property): Data {
  const isNumber = type === 'integer' || type === 'decimal' || type === 'number';
  if (isNumber && random.chance(0.5)) return random.pick(['', 'x', '1.5.2', '0x10', '1,5']);
  if (type === 'boolean') return random.pick(['true', 'no']);
  if (type === 'enum') return random.pick(['SAD', 'other', '', 'a']);
  if (type === 'string') return random.pick(['x', '😀']).repeat(length + 1);
  if (digits) return new Digits(decimal(10n ** BigInt(digits.precision - digits.scale)));
  return type === 'integer' ? tooLarge(isLong) : scalar(random, type);
}

function tooLarge(isLong = false): Data {
  return new Digits(isLong ? decimal(2n ** 63n) : integer(2n ** 31n));
}

/** A value of a row as data. */
function dataOf(random: Random, value: Value): Data {
  if (isDecimal(value)) return numberData(random, value);
  if (isDouble(value)) return new Digits(decimal(BigInt(Math.trunc(value.value))));
  if (isMoment(value)) {
    const text = momentText(value);
    return new Written(value.kind === 'date' ? text.slice(0, 10) : text, value);
  }
  if (isEnumValue(value)) return value.text;
  if (isCoded(value)) return new Written(value.text, value);
  if (isArrayValue(value)) return value.items.map((item) => dataOf(random, item));
  if (isJsonValue(value)) return value.data;
  return isClock(value) ? new Written(clockText(value), value) : value;
}
