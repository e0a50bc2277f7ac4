/** The types of PostgreSQL for those of the schema. */
import type { PropertyType } from '../../schema/model.js';

/** What values are cast to. */
export const castTypes = {
  integer: 'int8',
  decimal: 'numeric',
  number: 'float8',
  string: 'text',
  boolean: 'bool',
  dateTime: 'timestamptz',
  date: 'date',
  time: 'time',
  any: 'text',
} satisfies Record<PropertyType, string>;

/** What columns are made of. */
export const columnTypes = {
  integer: 'integer',
  decimal: 'numeric',
  number: 'double precision',
  string: 'text',
  boolean: 'boolean',
  dateTime: 'timestamptz',
  date: 'date',
  time: 'time(3)',
  any: 'text',
} satisfies Record<PropertyType, string>;
