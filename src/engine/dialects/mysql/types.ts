/** The types of MySQL and MariaDB for those of the schema. */
import type { PropertyType } from '../../schema/model.js';
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
} satisfies Partial<Record<PropertyType, string>>;

/** The column types of JSON_TABLE, which gives names to computed values. */
export const computedTypes = {
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
} satisfies Record<PropertyType, string>;

/** The column types of tables that Rowgate creates. */
export const columnTypes = {
  integer: 'INTEGER',
  // The widest decimal with 30 decimal places: 35 digits before the point.
  decimal: 'DECIMAL(65,30)',
  number: 'DOUBLE',
  string: 'LONGTEXT',
  boolean: 'BOOLEAN',
  // DATETIME stores what it is given, and Rowgate writes UTC. TIMESTAMP ends in 2038.
  dateTime: 'DATETIME(6)',
  date: 'DATE',
  time: 'TIME(6)',
  json: 'JSON',
  uuid: 'CHAR(36)',
  binary: 'LONGBLOB',
  interval: 'VARCHAR(64)',
  inet: 'VARCHAR(43)',
  xml: 'LONGTEXT',
  any: 'LONGTEXT',
} satisfies Record<PropertyType, string>;

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
