/**
 * Columns as users create them by hand: of other types than those that `push` chooses, which can store the same
 * values. Columns of a relation may have types that differ from each other.
 */
import type { Random } from '../random.js';
import { isExact, isInRange, typed } from '../write/typed.js';
import type { Domain, Entity, Property, PropertyType } from './domain.js';
import type { SourcePlan } from './schema-file.js';
import { valueOfText } from './values.js';

type Dialect = SourcePlan['dialect'];

/** How a column differs from the one that `push` creates. */
interface ForeignColumn {
  readonly columnType: string;
  readonly change?: Partial<Property>;
  /** Whether it cannot have an index. */
  readonly isPlain?: true;
}

const FOREIGN = 0.6;
/** The probability that a column has a domain over its type. */
const DOMAINS = 0.2;

/** The domain with other columns; its properties have the limits of these. */
export function withForeignColumns(random: Random, domain: Domain, dialect: Dialect): Domain {
  const entities = domain.entities.map((entity) => ({
    ...entity,
    properties: entity.properties.map((property) =>
      random.chance(FOREIGN) ? changed(random, { domain, entity, property, dialect }) : property,
    ),
  }));
  return { entities };
}

interface Place {
  readonly domain: Domain;
  readonly entity: Entity;
  readonly property: Property;
  readonly dialect: Dialect;
}

function changed(random: Random, place: Place): Property {
  const { property, dialect } = place;
  const columns = columnsFor(place);
  if (property.type === 'enum' || property.autoIncrement || columns.length === 0) return property;
  const { columnType, change } = random.pick(columns);
  const isOfDomain = dialect === 'PostgreSQL' && random.chance(DOMAINS);
  const result = { ...property, ...change, columnType, ...(isOfDomain && { isOfDomain }) };
  return hasDefaultInRange(result) ? result : property;
}

function hasDefaultInRange(property: Property): boolean {
  // Whether a computed value is in range depends on others.
  if (property.range && (property.computed ?? property.writeValue)) return false;
  if (property.default === undefined) return true;
  const value = valueOfText(property.type, String(property.default));
  return isExact(property, value) && isInRange(property, typed(property, value));
}

function columnsFor({ domain, entity, property, dialect }: Place): readonly ForeignColumn[] {
  const { name, type } = property;
  const isKey = [...entity.primaryKey, ...entity.uniqueKey].includes(name);
  const referring = entity.relations.filter(({ from }) => from.includes(name));
  const isEnforced = referring.some(({ declared, isWeak }) => declared && !isWeak);
  const isReferred = domain.entities.some(({ relations }) =>
    relations.some((each) => each.entity === entity.name && each.to.includes(name)),
  );
  // A foreign key of MariaDB and MySQL has the type of its key.
  if (dialect !== 'PostgreSQL' && (isEnforced || isReferred)) return [];
  // Foreign keys might not hold the integers of a longer key.
  if (isReferred && type === 'integer') return [];
  if (isReferred || referring.length > 0 || isKey) return keyColumns[dialect][type] ?? [];
  const isIndexed = entity.index === name;
  const all = [...(columns[dialect][type] ?? []), ...(keyColumns[dialect][type] ?? [])];
  return all.filter(({ isPlain }) => !isPlain || !isIndexed);
}

type Columns = Partial<Record<PropertyType, readonly ForeignColumn[]>>;

const long: Partial<Property> = { isLong: true };
const unlimited: Partial<Property> = { length: undefined };

const mariadbKeys: Columns = {
  integer: [{ columnType: 'bigint', change: long }],
  dateTime: [{ columnType: 'datetime(3)' }],
};

/** Columns that can hold all values of a key, whatever the other column of a relation holds. */
const keyColumns: Readonly<Record<Dialect, Columns>> = {
  PostgreSQL: {
    integer: [{ columnType: 'bigint', change: long }],
    string: [{ columnType: 'text', change: unlimited }],
    dateTime: [{ columnType: 'timestamp' }, { columnType: 'timestamp(3)' }],
  },
  MariaDB: mariadbKeys,
  MySQL: mariadbKeys,
};

/** The integers of a column without a sign, or of fewer bits. */
function integers(columnType: string, least: bigint, most: bigint): ForeignColumn {
  return { columnType, change: { range: [least, most], ...(most > 2n ** 31n && long) } };
}

const mariadbColumns: Columns = {
  integer: [
    integers('smallint', -(2n ** 15n), 2n ** 15n - 1n),
    integers('mediumint', -(2n ** 23n), 2n ** 23n - 1n),
    integers('tinyint unsigned', 0n, 255n),
    integers('int unsigned', 0n, 2n ** 32n - 1n),
    integers('bit(16)', 0n, 2n ** 16n - 1n),
  ],
  decimal: [{ columnType: 'decimal(20,4)', change: { digits: { precision: 20, scale: 4 } } }],
  number: [{ columnType: 'float', change: { isSingle: true } }],
  boolean: [{ columnType: 'bit(1)' }],
  string: [
    { columnType: 'text', change: unlimited, isPlain: true },
    { columnType: 'mediumtext', change: unlimited, isPlain: true },
  ],
  time: [{ columnType: 'time(3)' }],
  binary: [{ columnType: 'mediumblob', isPlain: true }, { columnType: 'varbinary(2000)' }],
};

const columns: Readonly<Record<Dialect, Columns>> = {
  PostgreSQL: {
    integer: [integers('smallint', -(2n ** 15n), 2n ** 15n - 1n)],
    decimal: [{ columnType: 'numeric(60,25)', change: { digits: { precision: 60, scale: 25 } } }],
    number: [{ columnType: 'real', change: { isSingle: true } }],
    dateTime: [{ columnType: 'timestamptz(3)' }],
    time: [{ columnType: 'time(3)' }],
    json: [{ columnType: 'json', isPlain: true }],
    'string[]': [{ columnType: 'varchar(255)[]' }],
    'dateTime[]': [{ columnType: 'timestamp[]' }],
  },
  MariaDB: mariadbColumns,
  MySQL: mariadbColumns,
};
