/** Random rows of a domain that satisfy its keys, lengths and relations. */
import { integer } from '../evaluate/decimal.js';
import type { Row, Tables } from '../evaluate/tables.js';
import { identityOf, type Value } from '../evaluate/value.js';
import { Unsure } from '../evaluate/unsure.js';
import type { Random } from '../random.js';
import { type Domain, type Entity, entityNamed, type Property } from './domain.js';
import { isBroken } from '../write/constraints.js';
import { changed } from '../write/row-expression.js';
import { isShort } from '../write/store.js';
import { isInRange, typed } from '../write/typed.js';
import { textFor, valueOfText } from './values.js';

const NULLS = 0.2;
/** The probability that a key of a weak relation leads to no row. */
const DANGLING = 0.2;
const LONG_KEYS = 0.6;
/** The first integer whose successor is not a double. */
const LONG = 2n ** 53n;

/** The rows of each entity. Entities refer to earlier entities and to themselves. */
export function makeRows(random: Random, domain: Domain): Tables {
  const tables = new Map<string, readonly Row[]>();
  for (const entity of domain.entities) {
    const rows: Row[] = [];
    const taken = new Set<string>();
    for (let number = 1; number <= entity.size; number += 1) {
      const row = makeRow(random, domain, entity, { tables, rows, number });
      if (row && isFree(entity, row, taken)) rows.push(row);
    }
    tables.set(entity.name, random.shuffled(rows));
  }
  return tables;
}

interface Known {
  readonly tables: Tables;
  /** The previous rows of the same entity. */
  readonly rows: readonly Row[];
  readonly number: number;
}

/** Undefined if a required relation has no possible target, or if the row breaks a constraint. */
function makeRow(random: Random, domain: Domain, entity: Entity, known: Known): Row | undefined {
  const row = new Map<string, Value>();
  const references = referencesOf(random, entity, known);
  for (const property of entity.properties) {
    const value = references.has(property.name)
      ? (references.get(property.name) ?? null)
      : makeValue(random, domain, entity, property, known);
    if (value === null && property.required) return undefined;
    row.set(property.name, value);
  }
  if (entity.constraints?.some((each) => isBroken(entity, each, row))) return undefined;
  return row;
}

/**
 * The values of foreign keys, with a row for each. Of a nullable one, either value or both may be null. A
 * weak relation may lead to no row: it has no values here.
 */
function referencesOf(
  random: Random,
  entity: Entity,
  { tables, rows }: Known,
): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const relation of entity.relations) {
    if (!relation.declared || relation.isMany || (relation.isWeak && random.chance(DANGLING)))
      continue;
    const targets = relation.entity === entity.name ? rows : (tables.get(relation.entity) ?? []);
    const target = targets.length > 0 ? random.pick(targets) : undefined;
    for (const [index, name] of relation.from.entries()) {
      const property = entity.properties.find((each) => each.name === name);
      const isNull = !property?.required && random.chance(NULLS);
      values.set(name, isNull ? null : (target?.get(relation.to[index] ?? '') ?? null));
    }
  }
  return values;
}

function makeValue(
  random: Random,
  domain: Domain,
  entity: Entity,
  property: Property,
  { number }: Known,
): Value {
  const { name, type, required } = property;
  if (property.autoIncrement) return integer((property.isLong ? LONG : 0n) + BigInt(number));
  if (!required && random.chance(NULLS)) return null;
  const isKey = [...entity.primaryKey, ...entity.uniqueKey].includes(name);
  if (isKey && type === 'integer') return keyFor(random, entity, property);
  const text = textFor(random, property, entityNamed(domain, entity.name).size > 100);
  return storedValue(entity, property, typed(property, valueOfText(type, text)));
}

function keyFor(random: Random, { size }: Entity, { isLong }: Property): Value {
  const first = isLong && random.chance(LONG_KEYS) ? LONG : 0n;
  return integer(first + BigInt(random.below(size * 4) - 3));
}

/** What is stored of a value, or of a usual one if the result would not fit in the column. */
function storedValue(entity: Entity, property: Property, value: Value): Value {
  try {
    const stored = changed(entity, property, value);
    if (isShort(property, stored) && isInRange(property, stored)) return stored;
  } catch (error) {
    if (!(error instanceof Unsure)) throw error;
  }
  return changed(entity, property, valueOfText(property.type, '1'));
}

/** Whether no previous row has the same key. Keys with null are never equal. */
function isFree({ primaryKey, uniqueKey }: Entity, row: Row, taken: Set<string>): boolean {
  const keys = [primaryKey, uniqueKey].flatMap((names, index) => {
    const values = names.map((name) => row.get(name) ?? null);
    const isKey = names.length > 0 && !values.includes(null);
    return isKey ? [[index, ...values.map(identityOf)].join('\n')] : [];
  });
  if (keys.some((key) => taken.has(key))) return false;
  for (const key of keys) taken.add(key);
  return true;
}
