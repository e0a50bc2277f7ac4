/** The types of PostgreSQL for those of the schema. */
import { arrayOf, isArray, itemOf } from '../../schema/array-types.js';
import type { PropertyType, ScalarType } from '../../schema/model.js';
import { type PropertyTypes, typesOf } from '../property-types.js';

const castTypes = {
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
} satisfies Record<ScalarType, string>;

const columnTypes = {
  ...castTypes,
  integer: 'integer',
  number: 'double precision',
  boolean: 'boolean',
} satisfies Record<ScalarType, string>;

const longColumnTypes = { ...columnTypes, integer: 'bigint' };

export function castType(type: PropertyType): string {
  return typeIn(castTypes, type);
}

/** The SQL type of a column. */
export function columnType(type: PropertyType, isLong: boolean): string {
  return typeIn(isLong ? longColumnTypes : columnTypes, type);
}

/** Whether a type of the catalog has integers of more than 32 bits. */
export function isLong(type: string): boolean {
  return /^_?(int8|oid)$/.test(type);
}

function typeIn(types: Readonly<Record<ScalarType, string>>, type: PropertyType): string {
  return isArray(type) ? `${types[itemOf(type)]}[]` : types[type];
}

const scalars = typesOf([
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

/** PostgreSQL does not cast text to these types, which a list of arrays would need. */
const uncast = new Set(['macaddr', 'macaddr8', 'ltree']);

/** In the catalog, an array type has the name of its item type, after `_`. */
const arrays = [...scalars].flatMap(([name, type]) => {
  const array = uncast.has(name) ? undefined : arrayOf(type);
  return array ? [[`_${name}`, array] as const] : [];
});

/** The types of properties for those of columns, by their names in the catalog. */
export const propertyTypes: PropertyTypes = new Map([...scalars, ...arrays]);
