/** Expressions on PostgreSQL. */
import type { AggregateName } from '../../query/logical.js';
import { isNumeric } from '../../query/types.js';
import type { ItemType, PropertyType } from '../../schema/model.js';
import {
  type ComparedList,
  type ComparedWith,
  type ExpressionDialect,
  type DialectOperator,
  type OperandTypes,
  QUOTIENT_DIGITS,
  type TypedSql,
} from '../expression-dialect.js';
import { quoted, quoteName, unquoted } from '../quote-name.js';
import { isArray, itemOf } from '../../schema/array-types.js';
import { nestedTexts, type NestedTexts } from '../../values/array-text.js';
import { hexOfBase64 } from '../../values/base64.js';
import { cast } from './functions/cast.js';
import { postgresqlArray } from './array-literal.js';
import { jsonPart, jsonPaths } from './json-path.js';
import { castType } from './types.js';
import { postgresqlReservedWords } from '../reserved-words.js';

export const postgresqlExpressions: ExpressionDialect = {
  name: 'PostgreSQL',
  quoteName: asName,
  storedName,
  quoteAlias: (name) => quoted(name, '"'),
  placeholder: (index) => `$${index}`,
  repeatsPlaceholders: true,
  losesOffset: false,
  scalar,
  numberLiteral: (text) => text,
  list: postgresqlArray,
  hasLateral: true,
  listRows: (placeholder, type) => `SELECT unnest(${placeholder}::${castType(type)}[])`,
  inList,
  amongKeys: (column, placeholder, type) =>
    amongItems(column, { placeholder, type }, { type, isColumn: true, isConstant: false }),
  tuple: (columns) => `jsonb_build_array(${columns.map(partOfTuple).join(', ')})`,
  amongTuples,
  jsonPaths,
  jsonPart,
  element,
  amongElements,
  plain: (sql, type) => (type === 'string' || type === 'number' ? cast(sql, castType(type)) : sql),
  base64,
  ofBase64: (sql) => `decode(${sql}, 'base64')`,
  cast: (sql, type) => `${sql}::${castType(type)}`,
  compared: ({ sql, type, isLiteral }, other) =>
    isWidened(type, other) && !(isLiteral && isNumeric(type)) ? `${sql}::${castType(type)}` : sql,
  equatedColumn: ({ sql }) => sql,
  amongItems,
  binary,
  integer: (sql) => cast(sql, 'int8'),
  byCodePoint: (sql) => `${sql} COLLATE "C"`,
  join: (texts) => texts.join(' || '),
  // OFFSET 0 stops the planner from replacing each name by its expression again.
  namedValues: (values) =>
    `(SELECT ${values.map(({ sql }, index) => `${sql} AS a${index + 1}`).join(', ')} OFFSET 0) AS arg`,
  valueNamed: (name) => `arg.${name}`,
  negated: (operand) => `- ${operand}`,
  complement: (operand) => `~ ${operand}`,
  aggregate,
  rowFunctions: new Set(['title']),
  namesGroups: true,
  hasDoublePowers: false,
  nestingMax: Infinity,
  sortKey: (key, descending) => `${key()}${descending ? ' DESC' : ''}`,
  keepKey: (sql) => sql,
  textOf,
};

function asName(mapping: string): string {
  return quoteName(mapping, '"', postgresqlReservedWords);
}

/** The name in the catalog. Only plain ASCII names are unquoted, and those are folded to lower case. */
function storedName(mapping: string): string {
  const sql = asName(mapping);
  return unquoted(sql, '"') ?? sql.toLowerCase();
}

/**
 * Whether a parameter needs a cast in a comparison. Without one, the database gives it the type of the
 * other side, and fails if the value does not fit. Integers of all widths can be compared through an
 * index (operator family `integer_ops`), and so can doubles with a `real` (`float_ops`). A column of
 * decimals determines the type of the parameter.
 */
function isWidened(type: PropertyType, other: ComparedWith): boolean {
  if (!isNumeric(type)) return type === 'dateTime' && other.type === 'date';
  return type === 'integer' || !other.isColumn || other.type !== 'decimal';
}

function amongItems(value: string, { placeholder, type }: ComparedList, other: ComparedWith) {
  const cast = isWidened(type, other) ? `::${castType(type)}[]` : '';
  return `${value} = ANY(${placeholder}${cast})`;
}

/**
 * The subquery hides the number of keys from the planner. For few keys, a custom plan would always seem cheaper than
 * the generic plan, so PostgreSQL would plan every execution, which takes longer than running it. Only for columns with
 * an index: without one, the planner should know the list, because PostgreSQL hashes only constant lists.
 */
function inList(column: string, placeholder: string, type: PropertyType): string {
  const list = `${castType(type)}[]`;
  return `${column} = ANY((SELECT ${placeholder}::${list})::${list})`;
}

function scalar(text: string, type: PropertyType): string {
  if (type === 'binary') return `\\x${hexOfBase64(text)}`;
  if (isArray(type)) return postgresqlArray(scalars(nestedTexts(text), itemOf(type)));
  return type === 'dateTime' || type === 'date' ? dateParameter(text) : text;
}

function scalars(items: NestedTexts, item: ItemType): NestedTexts {
  return items.map((each) => {
    if (each === null) return null;
    return typeof each === 'string' ? scalar(each, item) : scalars(each, item);
  });
}

/** Base64 on one line; `encode` breaks lines after 76 characters (manual, 9.5). */
function base64(sql: string): string {
  return `translate(encode(${sql}, 'base64'), E'\\n', '')`;
}

function partOfTuple({ sql, type }: TypedSql): string {
  if (type === 'binary') return base64(sql);
  // A cast would write an address with the length of its network.
  return type === 'inet' ? sql : `${sql}::text`;
}

function amongTuples(
  columns: readonly string[],
  placeholder: string,
  types: readonly PropertyType[],
): string {
  const parts = types.map((type, index) => {
    const part = `(tuple ->> ${index})`;
    return type === 'binary' ? `decode(${part}, 'base64')` : `${part}::${castType(type)}`;
  });
  const rows = `SELECT ${parts.join(', ')} FROM unnest(${placeholder}::jsonb[]) AS tuple`;
  return `(${columns.join(', ')}) IN (${rows})`;
}

/**
 * An index on an array supports containment; numbers of other widths can only be compared one by
 * one.
 */
function amongElements(value: string, array: () => string, item: ItemType): string {
  if (isNumeric(item)) {
    return `CASE WHEN ${array()} IS NOT NULL THEN COALESCE(${value} = ANY(${asArray(array())}), FALSE) END`;
  }
  const type = `${castType(item)}[]`;
  return `${array()}::${type} @> ARRAY[${value}]::${type}`;
}

/**
 * An expression with COLLATE reads an item of a `varchar[]` as text. If all of them are cast to text, PostgreSQL
 * recognizes the grouping key in such an expression.
 */
function element(array: () => string, index: number, item: ItemType): string {
  const sql = `(${array()})[array_lower(${array()}, 1) + ${index}]`;
  return item === 'string' ? `${sql}::text` : sql;
}

/** ANY would compare with the rows of a sub-select, not with the items of the array that it returns. */
function asArray(sql: string): string {
  return sql.startsWith('(SELECT') ? `${sql} || '{}'` : sql;
}

/** An average is computed as a quotient, because AVG of doubles fails if their squares are out of range. */
function aggregate(name: AggregateName, argument: () => string, type: PropertyType): string {
  const sql = argument();
  if (name !== 'avg') return `${aggregateName(name, type)}(${sql})`;
  if (type === 'number') return `(SUM(${sql}) / COUNT(${sql}))`;
  return quotient(`SUM(${sql})`, `NULLIF(COUNT(${sql}), 0)`);
}

/**
 * The added zeros make PostgreSQL compute twice as many digits as the result has, whatever the operands are. With fewer,
 * it might round the last digit before ROUND does.
 */
function quotient(left: string, right: string): string {
  return `ROUND((${left}::numeric + 0e-${2 * QUOTIENT_DIGITS}) / ${right}, ${QUOTIENT_DIGITS})`;
}

/** PostgreSQL has no MAX and MIN for booleans. */
function aggregateName(name: AggregateName, type: PropertyType): string {
  if (type === 'boolean' && name === 'max') return 'BOOL_OR';
  return type === 'boolean' && name === 'min' ? 'BOOL_AND' : name.toUpperCase();
}

/** Integer operands are already int8, except for literals. */
function binary(operator: DialectOperator, left: string, right: string, types: OperandTypes) {
  switch (operator) {
    case '+':
    case '-':
    case '&':
    case '|':
      return `${wide(left, types)} ${operator} ${right}`;
    case '*':
      return product(wide(left, types), right, types);
    case '%':
      return remainder(wide(left, types), divisor(right), types);
    case '/':
      if (types.left === 'number' || types.right === 'number') {
        return `${cast(left, 'float8')} / ${divisor(right)}`;
      }
      return quotient(left, divisor(right));
    case '^':
      return `${wide(left, types)} # ${right}`;
    case '<<':
    case '>>':
      return `${wide(left, types)} ${operator} ${shiftCount(right)}`;
    default:
      return `${left} ${operator} ${right}`;
  }
}

/** The left operand, cast to int8 if it is an integer literal, which would be an int4. */
function wide(left: string, types: OperandTypes): string {
  const isWhole = types.left === 'integer' && types.right === 'integer';
  return isWhole && isLiteral(left) ? cast(left, 'int8') : left;
}

/**
 * If a literal could take the product beyond the range of a double, the cast makes PostgreSQL fail there, as it does for
 * doubles anyway.
 */
function product(left: string, right: string, types: OperandTypes): string {
  const sql = `${left} * ${right}`;
  const isExact = types.left !== 'number' && types.right !== 'number';
  return isExact && (isGreat(left) || isGreat(right))
    ? `trim_scale((${sql})::numeric(1000, 691))`
    : sql;
}

function isGreat(sql: string): boolean {
  return isLiteral(sql) && Number(/\d.*\d|\d/.exec(sql)?.[0]) > 1e100;
}

/** A divisor that is null instead of zero, which would be an error. */
function divisor(sql: string): string {
  return isLiteral(sql) && Number(sql) !== 0 ? sql : `NULLIF(${sql}, 0)`;
}

/** A shift count that is null outside of 0 to 63, where PostgreSQL would use the remainder by 64. */
function shiftCount(sql: string): string {
  if (/^\d+$/.test(sql) && Number(sql) < 64) return sql;
  return `NULLIF(NULLIF(GREATEST(LEAST(${sql}, 64), -1), 64), -1)::int4`;
}

/** Whether the SQL is a number literal, which may be negative. */
function isLiteral(sql: string): boolean {
  return /^\(?-?[\d.][\d.eE+-]*\)?$/.test(sql);
}

/**
 * PostgreSQL has no remainder of doubles, so it is computed from the digits with which they are displayed.
 */
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
    case 'inet':
      // A cast to text would add the mask /32 or /128, which the output function leaves out.
      return `NULLIF(concat(${sql}), '')`;
    default:
      return `${sql}::text`;
  }
}

/** Converts signed ISO 8601 years to PostgreSQL's format (manual, 8.5.1): `0044-03-15 … BC`. */
function dateParameter(text: string): string {
  if (text.startsWith('0000-')) return `0001${text.slice(4)} BC`;
  const sign = text.charAt(0);
  if ((sign !== '+' && sign !== '-') || text === '-infinity') return text;
  const year = Number(text.slice(1, 7));
  const rest = text.slice(7);
  if (sign === '+') return `${year}${rest}`;
  return `${String(year + 1).padStart(4, '0')}${rest} BC`;
}
