/** Converts the DEFAULT of a column to the default of a property. */
import { constantDefault, isCall, textDefault } from '../query/write/default-expression.js';
import { boundsFault } from '../query/write/property-default.js';
import { scalarText } from '../values/scalar-text.js';
import type { PropertyType, SchemaScalar } from '../schema/model.js';
import type { MappedType } from './column-types.js';

/** `none`: the column has no default. `unknown`: only the database can evaluate its default. */
export type ColumnDefault =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'value'; readonly value: SchemaScalar };

const none: ColumnDefault = { kind: 'none' };
const unknown: ColumnDefault = { kind: 'unknown' };

/** Reads the SQL of a default as PostgreSQL, MySQL and MariaDB print it. */
export function columnDefault(sql: string | undefined, mapped: MappedType): ColumnDefault {
  const { type } = mapped;
  if (sql === undefined) return none;
  const bare = withoutCasts(sql);
  if (/^null$/i.test(bare)) return none;
  const moment = moments[type]?.test(bare) === true ? momentCalls[type] : undefined;
  const value = moment ?? literalValue(bare, type);
  // PostgreSQL accepts a default that is too long for its column, and refuses the inserts that use it.
  if (value === undefined || boundsFault(mapped, constantDefault(value) ?? '')) return unknown;
  return { kind: 'value', value };
}

const momentCalls: Partial<Record<PropertyType, string>> = { dateTime: 'now()', date: 'today()' };
const moments: Partial<Record<PropertyType, RegExp>> = {
  dateTime: /^(now\(\)|(current_timestamp|transaction_timestamp)(\(\d?\))?)$/i,
  date: /^(current_date(\(\))?|curdate\(\))$/i,
};

/** Turns `('0'::character varying)::text` into `'0'`. */
function withoutCasts(sql: string): string {
  let text = sql.trim();
  for (;;) {
    const inner =
      /^(.*)::[\w\s."]+(?:\([\d, ]*\))?$/s.exec(text)?.[1] ?? /^\((.*)\)$/s.exec(text)?.[1];
    if (inner === undefined) return text;
    text = inner.trim();
  }
}

function literalValue(sql: string, type: PropertyType): SchemaScalar | undefined {
  const [, quoted] = /^'((?:[^']|'')*)'$/.exec(sql) ?? [];
  const text = quoted?.replaceAll("''", "'") ?? sql;
  switch (type) {
    case 'string':
    case 'any':
      return quoted === undefined ? undefined : textValue(text);
    case 'boolean':
      return booleanValue(text);
    case 'integer':
    case 'decimal':
    case 'number': {
      // The database rounds 1.5 for a column of integers.
      const number = numberValue(text);
      return number !== undefined && scalarText(type, number) !== undefined ? number : undefined;
    }
    case 'uuid':
    case 'interval':
    case 'inet':
    case 'dateTime':
    case 'date':
    case 'time':
      return quoted !== undefined && scalarText(type, text) !== undefined ? text : undefined;
    default:
      return undefined;
  }
}

/** Quotes a string that would otherwise be read as an expression or as a member of an enum. No string of a schema has U+0000. */
function textValue(text: string): string | undefined {
  if (text.includes('${') || text.includes('\0')) return undefined;
  const isMember = /^[\w$]+\.[\w$]+$/.test(text);
  return isMember || isCall(text) || textDefault(text) ? JSON.stringify(text) : text;
}

function booleanValue(text: string): boolean | undefined {
  if (/^(true|t|1|b'1')$/i.test(text)) return true;
  return /^(false|f|0|b'0')$/i.test(text) ? false : undefined;
}

/** The number, if a double represents all its digits. */
function numberValue(text: string): number | undefined {
  const [, digits] = /^(-?\d+(?:\.\d*?)?)0*$/.exec(text) ?? /^(-?\d+)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(text);
  return digits.replace(/[-.]/g, '').length <= 15 ? number : undefined;
}
