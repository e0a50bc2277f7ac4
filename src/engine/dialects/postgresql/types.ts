/** The types of PostgreSQL for those of the schema. */
import type { PropertyType } from '../../schema/model.js';
import { typesOf } from '../property-types.js';

/** The types of casts. */
export const castTypes = {
  integer: 'int8',
  decimal: 'numeric',
  number: 'float8',
  string: 'text',
  boolean: 'bool',
  dateTime: 'timestamptz',
  date: 'date',
  time: 'time',
  json: 'jsonb',
  uuid: 'uuid',
  binary: 'bytea',
  interval: 'interval',
  inet: 'inet',
  xml: 'xml',
  any: 'text',
} satisfies Record<PropertyType, string>;

/** The column types of tables that Rowgate creates. */
export const columnTypes = {
  integer: 'integer',
  decimal: 'numeric',
  number: 'double precision',
  string: 'text',
  boolean: 'boolean',
  dateTime: 'timestamptz',
  date: 'date',
  time: 'time',
  json: 'jsonb',
  uuid: 'uuid',
  binary: 'bytea',
  interval: 'interval',
  inet: 'inet',
  xml: 'xml',
  any: 'text',
} satisfies Record<PropertyType, string>;

/** The property types for column types, by their names in the catalog. */
export const propertyTypes = typesOf([
  ['integer', 'int2 int4 int8 oid'],
  ['decimal', 'numeric'],
  ['number', 'float4 float8'],
  ['boolean', 'bool'],
  ['string', 'varchar bpchar text name char citext macaddr macaddr8 ltree'],
  ['dateTime', 'timestamptz timestamp'],
  ['date', 'date'],
  ['time', 'time'],
  ['json', 'json jsonb'],
  ['uuid', 'uuid'],
  ['binary', 'bytea'],
  ['interval', 'interval'],
  ['inet', 'inet cidr'],
  ['xml', 'xml'],
]);
