/** The dialect of PostgreSQL. */
import type { AggregateName } from '../query/logical.js';
import type { PropertyType } from '../schema/model.js';
import type {
  ComparedList,
  ComparedWith,
  Dialect,
  DialectOperator,
  OperandTypes,
} from './dialect.js';
import { quoted, quoteName, unquoted } from './quote-name.js';
import { QUOTIENT_DIGITS } from './quotient-digits.js';
import { postgresqlReservedWords } from './reserved-words.js';

const typeNames = {
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

export const postgresql: Dialect = Object.freeze<Dialect>({
  name: 'PostgreSQL',
  quoteName: (mapping) => quoteName(mapping, '"', postgresqlReservedWords),
  // Folding touches ASCII letters only, and only those may stand bare.
  storedName: (mapping) => {
    const sql = quoteName(mapping, '"', postgresqlReservedWords);
    return unquoted(sql, '"') ?? sql.toLowerCase();
  },
  quoteAlias: (name) => quoted(name, '"'),
  placeholder: (index) => `$${index}`,
  repeatsPlaceholders: true,
  scalar: (text, type) => (type === 'dateTime' || type === 'date' ? dateParameter(text) : text),
  numberLiteral: (text) => text,
  list: postgresqlArray,
  hasLateral: true,
  listRows: (placeholder, type) => `SELECT unnest(${placeholder}::${typeNames[type]}[])`,
  inList: (column, placeholder, type) => `${column} = ANY(${placeholder}::${typeNames[type]}[])`,
  amongKeys: (column, placeholder, type) =>
    amongItems(column, { placeholder, type }, aColumn(type)),
  cast: (sql, type) => `${sql}::${typeNames[type]}`,
  compared: ({ sql, type, isLiteral }, other) =>
    isLiteral || !isWidened(type, other) ? sql : `${sql}::${typeNames[type]}`,
  amongItems,
  boolean: (value) => (value ? 'TRUE' : 'FALSE'),
  binary,
  complement: (operand) => `~ ${operand}::int8`,
  aggregate,
  namesGroups: true,
  sortKey: (key, descending) => `${key()}${descending ? ' DESC' : ''}`,
  textOf,
});

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
  const cast = isWidened(type, other) ? `::${typeNames[type]}[]` : '';
  return `${value} = ANY(${placeholder}${cast})`;
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

/** Integers are widened, so that no operand's size bounds the result. */
function binary(operator: DialectOperator, left: string, right: string, types: OperandTypes) {
  switch (operator) {
    case '+':
    case '-':
    case '*':
      return `${widened(left, right, types)} ${operator} ${right}`;
    case '%':
      return remainder(left, right, types);
    case '/':
      if (types.left === 'number' || types.right === 'number') return `${left}::float8 / ${right}`;
      return quotient(left, right);
    case '**':
      return `power(${left}::numeric, ${right}::numeric)`;
    case '//':
      return root(left, right);
    case '&':
    case '|':
      return `${left}::int8 ${operator} ${right}::int8`;
    case '^':
      return `${left}::int8 # ${right}::int8`;
    case '<<':
    case '>>':
      return `${left}::int8 ${operator} ${right}::int4`;
    case 'join':
      return `${textOf(left, types.left)} || ${textOf(right, types.right)}`;
    default:
      return `${left} ${operator} ${right}`;
  }
}

/** PostgreSQL has no remainder of doubles: they are taken by the digits that they are shown with. */
function remainder(left: string, right: string, types: OperandTypes): string {
  if (types.left !== 'number' && types.right !== 'number') {
    return `${widened(left, right, types)} % ${right}`;
  }
  const exact = (sql: string, type: PropertyType) =>
    type === 'number' ? `${sql}::text::numeric` : `${sql}::numeric`;
  return `(${exact(left, types.left)} % ${exact(right, types.right)})::float8`;
}

/**
 * A root by forty digits of its exponent, shown with those that a double has: the third root of 27
 * is 3, and not a hair less.
 */
function root(left: string, right: string): string {
  const one = `1.${'0'.repeat(40)}`;
  return `power(${left}::numeric, ${one} / ${right}::numeric)::float8::text::numeric`;
}

function widened(left: string, right: string, types: OperandTypes): string {
  const isWhole = types.left === 'integer' && types.right === 'integer';
  // An index of integers does not serve a comparison with a numeric.
  return isWhole && !isWide.test(left) && !isWide.test(right) ? `${left}::numeric` : left;
}

/** A parameter, which says its type. */
const isWide = /^\$\d+::int8$/;

function textOf(sql: string, type: PropertyType): string {
  switch (type) {
    case 'string':
      return sql;
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
