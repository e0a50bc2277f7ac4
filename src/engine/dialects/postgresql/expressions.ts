/** The expressions of PostgreSQL. */
import type { AggregateName } from '../../query/logical.js';
import type { PropertyType } from '../../schema/model.js';
import {
  type ComparedList,
  type ComparedWith,
  type ExpressionDialect,
  type DialectOperator,
  type OperandTypes,
  QUOTIENT_DIGITS,
} from '../expression-dialect.js';
import { quoted, quoteName, unquoted } from '../quote-name.js';
import { isArray, itemOf } from '../../schema/array-types.js';
import { itemTexts } from '../../values/array-text.js';
import { hexOfBase64 } from '../../values/base64.js';
import { cast } from './functions/cast.js';
import { jsonPart } from './json-path.js';
import { castType } from './types.js';
import { postgresqlReservedWords } from '../reserved-words.js';

export const postgresqlExpressions: ExpressionDialect = {
  name: 'PostgreSQL',
  quoteName: asName,
  storedName,
  quoteAlias: (name) => quoted(name, '"'),
  placeholder: (index) => `$${index}`,
  repeatsPlaceholders: true,
  scalar,
  numberLiteral: (text) => text,
  list: postgresqlArray,
  hasLateral: true,
  listRows: (placeholder, type) => `SELECT unnest(${placeholder}::${castType(type)}[])`,
  inList: (column, placeholder, type) => `${column} = ANY(${placeholder}::${castType(type)}[])`,
  amongKeys: (column, placeholder, type) =>
    amongItems(column, { placeholder, type }, aColumn(type)),
  tuple: (columns) => `jsonb_build_array(${columns.map((column) => `${column}::text`).join(', ')})`,
  amongTuples,
  jsonPath: (steps) => postgresqlArray(steps.map(({ name }) => name)),
  jsonPart,
  element: (array, index) => `(${array()})[array_lower(${array()}, 1) + ${index}]`,
  amongElements: (value, array) => `${value} = ANY(${array()})`,
  textOfEnum: (sql) => `${sql}::text`,
  base64,
  cast: (sql, type) => `${sql}::${castType(type)}`,
  compared: ({ sql, type, isLiteral }, other) =>
    isLiteral || !isWidened(type, other) ? sql : `${sql}::${castType(type)}`,
  amongItems,
  boolean: (value) => (value ? 'TRUE' : 'FALSE'),
  binary,
  integer: (sql) => cast(sql, 'int8'),
  byCodePoint: (sql) => `${sql} COLLATE "C"`,
  join: (texts) => texts.join(' || '),
  // Without the OFFSET, the planner would put each value in place of its name again.
  namedValues: (values) =>
    `(SELECT ${values.map(({ sql }, index) => `${sql} AS a${index + 1}`).join(', ')} OFFSET 0) AS arg`,
  valueNamed: (name) => `arg.${name}`,
  complement: (operand) => `~ ${operand}`,
  aggregate,
  namesGroups: true,
  nestingMax: Infinity,
  sortKey: (key, descending) => `${key()}${descending ? ' DESC' : ''}`,
  textOf,
};

function asName(mapping: string): string {
  return quoteName(mapping, '"', postgresqlReservedWords);
}

/** Folding touches ASCII letters only, and only those may stand bare. */
function storedName(mapping: string): string {
  const sql = asName(mapping);
  return unquoted(sql, '"') ?? sql.toLowerCase();
}

/**
 * Whether a parameter of a comparison says its type. Otherwise the database takes it from the other
 * side, and refuses what has no room in there. Of integers all widths compare by an index (operator
 * family `integer_ops`); a column of decimals may be of any kind of numbers, and tells best which.
 */
function isWidened(type: PropertyType, other: ComparedWith): boolean {
  if (type !== 'decimal' && type !== 'number') return type === 'integer';
  return !other.isColumn || other.type === 'integer';
}

function amongItems(value: string, { placeholder, type }: ComparedList, other: ComparedWith) {
  const cast = isWidened(type, other) ? `::${castType(type)}[]` : '';
  return `${value} = ANY(${placeholder}${cast})`;
}

function scalar(text: string, type: PropertyType): string {
  if (type === 'binary') return `\\x${hexOfBase64(text)}`;
  if (isArray(type)) {
    const item = itemOf(type);
    return postgresqlArray(itemTexts(text).map((each) => each && scalar(each, item)));
  }
  return type === 'dateTime' || type === 'date' ? dateParameter(text) : text;
}

/** The manual (9.5) breaks its lines after 76 letters. */
function base64(sql: string): string {
  return `translate(encode(${sql}, 'base64'), E'\\n', '')`;
}

function amongTuples(
  columns: readonly string[],
  placeholder: string,
  types: readonly PropertyType[],
): string {
  const parts = types.map((type, index) => `(tuple ->> ${index})::${castType(type)}`);
  const rows = `SELECT ${parts.join(', ')} FROM unnest(${placeholder}::jsonb[]) AS tuple`;
  return `(${columns.join(', ')}) IN (${rows})`;
}

function aColumn(type: PropertyType): ComparedWith {
  return { type, isColumn: true };
}

/** The array literal of a list. */
export function postgresqlArray(texts: readonly (string | null)[]): string {
  return `{${texts.map(arrayItem).join(',')}}`;
}

/** An average of exact numbers is a quotient, too. */
function aggregate(name: AggregateName, argument: string, type: PropertyType): string {
  if (name !== 'avg' || type === 'number') return `${aggregateName(name, type)}(${argument})`;
  return quotient(`SUM(${argument})`, `NULLIF(COUNT(${argument}), 0)`);
}

/** The zeros make PostgreSQL compute as many digits, whatever the operands. */
function quotient(left: string, right: string): string {
  return `ROUND((${left}::numeric + 0e-${QUOTIENT_DIGITS}) / ${right}, ${QUOTIENT_DIGITS})`;
}

/** PostgreSQL has no max and min of booleans. */
function aggregateName(name: AggregateName, type: PropertyType): string {
  if (type === 'boolean' && name === 'max') return 'BOOL_OR';
  return type === 'boolean' && name === 'min' ? 'BOOL_AND' : name.toUpperCase();
}

/** Of operands whose SQL is in place: integers are int8, but for those that are written. */
function binary(operator: DialectOperator, left: string, right: string, types: OperandTypes) {
  switch (operator) {
    case '+':
    case '-':
      return `${wide(left, types)} ${operator} ${right}`;
    case '*':
      return product(wide(left, types), right);
    case '%':
      return remainder(wide(left, types), divisor(right), types);
    case '/':
      if (types.left === 'number' || types.right === 'number') {
        return `${left}::float8 / ${divisor(right)}`;
      }
      return quotient(left, divisor(right));
    case '&':
    case '|':
      return `${wide(left, types)} ${operator} ${right}`;
    case '^':
      return `${wide(left, types)} # ${right}`;
    case '<<':
    case '>>':
      return `${wide(left, types)} ${operator} ${shiftCount(right)}`;
    default:
      return `${left} ${operator} ${right}`;
  }
}

/** An integer that is written would be an int4. */
function wide(left: string, types: OperandTypes): string {
  const isWhole = types.left === 'integer' && types.right === 'integer';
  return isWhole && isLiteral(left) ? cast(left, 'int8') : left;
}

/** Beyond a double's range is an error; only numbers that are written lead there. */
function product(left: string, right: string): string {
  const sql = `${left} * ${right}`;
  return isGreat(left) || isGreat(right) ? `trim_scale((${sql})::numeric(1000, 691))` : sql;
}

function isGreat(sql: string): boolean {
  return isLiteral(sql) && Number(/\d.*\d|\d/.exec(sql)?.[0]) > 1e100;
}

/** Null instead of an error for zero. */
function divisor(sql: string): string {
  return isLiteral(sql) && Number(sql) !== 0 ? sql : `NULLIF(${sql}, 0)`;
}

/** Null outside of 0 to 63, where PostgreSQL would take the remainder by 64. */
function shiftCount(sql: string): string {
  if (/^\d+$/.test(sql) && Number(sql) < 64) return sql;
  return `NULLIF(NULLIF(GREATEST(LEAST(${sql}, 64), -1), 64), -1)::int4`;
}

/** A number, also one below zero, that is written in the expression. */
function isLiteral(sql: string): boolean {
  return /^\(?-?[\d.][\d.eE+-]*\)?$/.test(sql);
}

/** PostgreSQL has no remainder of doubles: it is computed from the digits that they are displayed with. */
function remainder(left: string, right: string, types: OperandTypes): string {
  if (types.left !== 'number' && types.right !== 'number') return `${left} % ${right}`;
  const exact = (sql: string, type: PropertyType) =>
    type === 'number' ? `${sql}::text::numeric` : `${sql}::numeric`;
  return `(${exact(left, types.left)} % ${exact(right, types.right)})::float8`;
}

function textOf(sql: string, type: PropertyType): string {
  switch (type) {
    case 'string':
      return sql;
    case 'binary':
      return base64(sql);
    case 'decimal':
      return `trim_scale(${sql}::numeric)::text`;
    case 'number':
      return `trim_scale(${sql}::text::numeric)::text`;
    case 'dateTime':
    case 'date':
      return `to_char(${sql}::timestamp, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    case 'time':
      return `regexp_replace(to_char(${sql}::time::interval, 'HH24:MI:SS.MS'), '[.]000$', '')`;
    default:
      return `${sql}::text`;
  }
}

const needsEscape = /["\\]/;
/** No integer of the database has more; longer ones are quoted like any other text. */
const PLAIN_DIGITS_MAX = 18;

/** An item of an array literal; every text is quoted, so that none can be NULL or a brace. */
function arrayItem(text: string | null): string {
  if (text === null) return 'NULL';
  if (isPlainNumber(text)) return text;
  return `"${needsEscape.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
}

/** A hot path: a list of keys has hundreds. */
function isPlainNumber(text: string): boolean {
  const { length } = text;
  if (length === 0 || length > PLAIN_DIGITS_MAX) return false;
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

/** ISO 8601 years that are signed become those of the manual (8.5.1): `0044-03-15 … BC`. */
function dateParameter(text: string): string {
  const sign = text.charAt(0);
  if (sign !== '+' && sign !== '-') return text;
  const year = Number(text.slice(1, 7));
  const rest = text.slice(7);
  if (sign === '+') return `${year}${rest}`;
  return `${String(year + 1).padStart(4, '0')}${rest} BC`;
}
