/** The types of MySQL and MariaDB for those of the schema. */
import { isArray } from '../../schema/array-types.js';
import type { Digits, PropertyType, ScalarType } from '../../schema/model.js';
import { typesOf } from '../property-types.js';

/** The types of casts. Strings have none, since CAST would give them a collation. */
export const castTypes = {
  integer: 'SIGNED',
  decimal: 'DECIMAL(65,30)',
  number: 'DOUBLE',
  boolean: 'SIGNED',
  dateTime: 'DATETIME(6)',
  date: 'DATE',
  time: 'TIME(6)',
} satisfies Partial<Record<ScalarType, string>>;

const computedTypes = {
  ...castTypes,
  integer: 'BIGINT',
  boolean: 'TINYINT',
  string: 'LONGTEXT',
  json: 'LONGTEXT',
  uuid: 'CHAR(36)',
  binary: 'LONGBLOB',
  interval: 'LONGTEXT',
  inet: 'LONGTEXT',
  xml: 'LONGTEXT',
  any: 'LONGTEXT',
} satisfies Record<ScalarType, string>;

// DATETIME stores what it is given, and Rowgate writes UTC. TIMESTAMP ends in 2038. A decimal is the
// widest one with 30 decimal places: 35 digits before the point.
const columnTypes = {
  ...computedTypes,
  integer: 'INTEGER',
  boolean: 'BOOLEAN',
  json: 'JSON',
  interval: 'VARCHAR(64)',
  inet: 'VARCHAR(43)',
} satisfies Record<ScalarType, string>;

/** The type of a column of JSON_TABLE that names a computed value. */
export function computedType(type: PropertyType): string {
  return computedTypes[isArray(type) ? 'json' : type];
}

/** The type of a table's column; an array is stored as JSON. */
export function columnType(type: PropertyType, isLong: boolean): string {
  if (isLong && type === 'integer') return 'BIGINT';
  return columnTypes[isArray(type) ? 'json' : type];
}

/** The property types for column types, by their names in the catalog. */
export const propertyTypes = typesOf([
  ['boolean', 'tinyint(1) bit(1)'],
  ['integer', 'tinyint smallint mediumint int bigint bit year'],
  ['decimal', 'decimal'],
  ['number', 'float double'],
  ['string', 'char varchar tinytext text mediumtext longtext enum set'],
  ['dateTime', 'datetime timestamp'],
  ['date', 'date'],
  ['time', 'time'],
  ['json', 'json'],
  ['uuid', 'uuid'],
  ['binary', 'binary varbinary tinyblob blob mediumblob longblob'],
  ['inet', 'inet4 inet6'],
]);

/** The most digits of a DECIMAL, and the most after the point that MySQL accepts. */
const PRECISION_MAX = 65;
const SCALE_MAX = 30;

/** The type of a decimal column, with its digits if the database can have as many. */
export function decimalType(digits: Digits | undefined): string {
  if (!digits) return columnTypes.decimal;
  const { precision, scale } = digits;
  const isPossible = precision <= PRECISION_MAX && scale <= SCALE_MAX;
  return isPossible ? `DECIMAL(${precision}, ${scale})` : columnTypes.decimal;
}
