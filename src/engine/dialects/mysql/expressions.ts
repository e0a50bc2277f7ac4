/** The expressions of MySQL 8 and MariaDB 10.6 and newer. */
import { EngineError } from '../../errors.js';
import type { AggregateName } from '../../query/logical.js';
import { isNumeric } from '../../query/types.js';
import { isArray, itemOf } from '../../schema/array-types.js';
import type { ItemType, PropertyType } from '../../schema/model.js';
import { itemTexts } from '../../values/array-text.js';
import { scalarEncoder } from '../../values/scalar-json.js';
import {
  type ComparedWith,
  type ExpressionDialect,
  type DialectOperator,
  type OperandTypes,
  type TypedSql,
  QUOTIENT_DIGITS,
} from '../expression-dialect.js';
import { quoted, quoteName, unquoted } from '../quote-name.js';
import { castTypes, computedType } from './types.js';
import { jsonPart, jsonPath } from './json-path.js';
import { collatedAs, uncollated, whole } from './functions/cast.js';
import { mysqlReservedWords } from '../reserved-words.js';
import { withoutExponent } from '../without-exponent.js';

/** Collations without padding. */
const codePoints = { MySQL: 'utf8mb4_0900_bin', MariaDB: 'utf8mb4_nopad_bin' };

export const mysqlExpressions: ExpressionDialect = expressionsOf('MySQL');
export const mariadbExpressions: ExpressionDialect = expressionsOf('MariaDB');

function expressionsOf(name: 'MySQL' | 'MariaDB'): ExpressionDialect {
  return {
    name,
    quoteName: asName,
    storedName,
    quoteAlias: (alias) => quoted(alias, '`'),
    placeholder: () => '?',
    repeatsPlaceholders: false,
    scalar,
    numberLiteral: withoutExponent,
    hasLateral: false,
    listRows: (placeholder) => placeholder,
    amongKeys: (column, placeholder) => `${column} IN (${placeholder})`,
    element: (array, index, item) =>
      `(SELECT ${isText(item) ? uncollated('e') : 'e'} FROM ${elements(array(), item, `[${index}]`)})`,
    amongElements: (value, array, item) => {
      const element = isText(item) ? `e COLLATE ${codePoints[name]}` : 'e';
      const there = `CASE WHEN ${array()} IS NOT NULL THEN ${value}`;
      return `${there} IN (SELECT ${element} FROM ${elements(array(), item, '[*]')}) END`;
    },
    textOfEnum: (sql) => sql,
    base64,
    jsonPath,
    jsonPart,
    tuple: (columns) => `JSON_ARRAY(${columns.map((column) => `CONCAT(${column})`).join(', ')})`,
    amongTuples: (columns, placeholder) => `(${columns.join(', ')}) IN (${placeholder})`,
    cast,
    compared: ({ sql, type }, other) => (isBesideKey(type, other) ? `${sql} + 0` : sql),
    amongItems: (value, { placeholder, type }, other) =>
      `${isBesideKey(type, other) ? `${value} + 0` : value} IN (${placeholder})`,
    boolean: (value) => (value ? 'TRUE' : 'FALSE'),
    binary,
    integer: whole,
    byCodePoint: (sql) => `${sql} COLLATE ${codePoints[name]}`,
    uncollated,
    bounded,
    tabled: (decimal) => cast(decimal, 'decimal'),
    join: (texts) => `CONCAT(${texts.join(', ')})`,
    namedValues,
    valueNamed,
    complement: (operand) => `CAST(~ ${operand} AS SIGNED)`,
    aggregate,
    // A name can be sorted by, but not used in an expression there (ER_ILLEGAL_REFERENCE).
    namesGroups: false,
    // The parser recurses on a stack of 292 KiB, which ends at about 440.
    nestingMax: 300,
    sortKey,
    textOf,
  };
}

function asName(mapping: string): string {
  return quoteName(mapping, '`', mysqlReservedWords);
}

function storedName(mapping: string): string {
  const sql = asName(mapping);
  return unquoted(sql, '`') ?? sql;
}

/**
 * Whether a number that may be fractional is compared with a column of integers. MariaDB looks up a
 * literal in an index by its rounded value and drops the condition (10.11: `key = 2.25` finds the rows
 * with 2); a sum it compares as the number that it is.
 */
function isBesideKey(type: PropertyType, other: ComparedWith): boolean {
  return other.isColumn && other.type === 'integer' && (type === 'decimal' || type === 'number');
}

/** A text stays as it is: CAST would give it a collation, which that of a column may not suit. */
function cast(sql: string, type: PropertyType): string {
  return isText(type) ? sql : `CAST(${sql} AS ${castTypes[type]})`;
}

/** JSON is a text there, as far as expressions go, and so is whatever the database has no type for. */
function isText(type: PropertyType): type is Exclude<PropertyType, keyof typeof castTypes> {
  return !Object.hasOwn(castTypes, type);
}

/** Items of an array as the column `e`. */
function elements(array: string, item: ItemType, place: string): string {
  return `JSON_TABLE(${array}, '$${place}' COLUMNS (e ${computedType(item)} PATH '$')) AS items`;
}

/** TO_BASE64 breaks its lines. */
function base64(sql: string): string {
  return `REPLACE(TO_BASE64(${sql}), CHAR(10), '')`;
}

function scalar(text: string, type: PropertyType): string {
  if (isArray(type)) return documentOf(itemTexts(text), itemOf(type));
  if (type === 'boolean') return text === 'true' ? '1' : '0';
  if (type === 'dateTime') return text.replace('T', ' ').replace('Z', '');
  return type === 'decimal' ? withoutExponent(text) : text;
}

/** The JSON of an array: numbers, booleans, and texts, also of dates, in the form of the database. */
function documentOf(texts: readonly (string | null)[], item: ItemType): string {
  const encode = scalarEncoder(isNumeric(item) || item === 'boolean' ? item : 'string');
  return `[${texts.map((text) => (text === null ? 'null' : encode(scalar(text, item)))).join(',')}]`;
}

/** A decimal has so many digits before its point: a greater one would become the greatest that there is. */
const WHOLE_DIGITS_MAX = 35;

function bounded(text: string): string {
  const isLong = text.length > WHOLE_DIGITS_MAX || text.includes('e') || text.includes('E');
  if (!isLong || Math.abs(Number(text)) < 10 ** WHOLE_DIGITS_MAX) return text;
  const message = `A number has more than ${WHOLE_DIGITS_MAX} digits before its point.`;
  throw new EngineError('value-out-of-range', message);
}

function aggregate(name: AggregateName, argument: string, type: PropertyType): string {
  const sql = `${name.toUpperCase()}(${argument})`;
  return name === 'avg' && type !== 'number' ? `ROUND(${sql}, ${QUOTIENT_DIGITS})` : sql;
}

/** A division by zero is null here, see the session's `sql_mode`. */
function binary(operator: DialectOperator, left: string, right: string, types: OperandTypes) {
  switch (operator) {
    // Bits are unsigned in MySQL (manual, 14.12, "Bit Functions and Operators").
    case '&':
    case '|':
    case '^':
      return `CAST(${left} ${operator} ${right} AS SIGNED)`;
    case '<<':
      return `CAST(${left} << ${shiftCount(right)} AS SIGNED)`;
    case '>>':
      // A 1 that is shifted out of the bits divides by zero: null, as it shall be.
      return `CAST(FLOOR(CAST(${left} AS DECIMAL(65,30)) / (1 << ${right})) AS SIGNED)`;
    case '/':
      if (types.left === 'number' || types.right === 'number') return `${left} / ${right}`;
      return `ROUND(${left} / ${right}, ${QUOTIENT_DIGITS})`;
    case '%':
      if (types.left === 'integer' && types.right === 'integer') return `${left} % ${right}`;
      // The remainder of a negative decimal may be a negative zero, whose text has the sign.
      return `(${left} % ${right} + 0)`;
    default:
      return `${left} ${operator} ${right}`;
  }
}

/** Null outside of 0 to 63: then the 1 is shifted out of the bits, and 0 has no logarithm. */
function shiftCount(sql: string): string {
  return /^\d+$/.test(sql) && Number(sql) < 64 ? sql : `LOG2(1 << ${sql})`;
}

/** What is written once is computed once: JSON_TABLE is what may read the row around it. */
function namedValues(values: readonly TypedSql[]): string {
  const given = values.map(({ sql }) => sql).join(', ');
  const columns = values.map(
    ({ type }, index) => `a${index + 1} ${computedType(type)} PATH '$[${index}]'`,
  );
  const decimals = values.flatMap(({ type }, index) => (type === 'decimal' ? [index] : []));
  const doubles = decimals.map((index) => `d${index + 1} DOUBLE PATH '$[${index}]'`);
  const table = `JSON_TABLE(JSON_ARRAY(${given}), '$' COLUMNS (${[...columns, ...doubles].join(', ')})) AS arg`;
  if (decimals.length === 0) return table;
  return `${table} WHERE ${decimals.map((index) => fitsDecimal(`arg.d${index + 1}`)).join(' AND ')}`;
}

/** MariaDB warns of a greater one, which would become the greatest decimal; MySQL makes it null. */
function fitsDecimal(double: string): string {
  return `(COALESCE(ABS(${double}), 0) < 1e35 OR EXP(ABS(${double})) IS NULL)`;
}

function valueNamed(name: string, type: PropertyType, collated: string | undefined): string {
  if (!isText(type)) return `arg.${name}`;
  return collatedAs(collated, uncollated(`arg.${name}`));
}

/** MySQL sorts nulls first ascending and last descending, and has no NULLS LAST. */
function sortKey(key: () => string, descending: boolean): string {
  const direction = descending ? ' DESC' : '';
  return `${beside(key())} IS NULL${direction}, ${key()}${direction}`;
}

/** AND, OR and NOT bind less than IS does. */
function beside(sql: string): string {
  return /^[\w.`]+$/.test(sql) ? sql : `(${sql})`;
}

function textOf(sql: string, type: PropertyType): string {
  switch (type) {
    case 'binary':
      return base64(sql);
    case 'string':
    case 'json':
    case 'uuid':
    case 'interval':
    case 'inet':
    case 'xml':
    case 'any':
      return sql;
    case 'boolean':
      return `CASE ${sql} WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' END`;
    case 'decimal':
    case 'number':
      return `TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM CAST(${sql} AS DECIMAL(65,30))))`;
    case 'dateTime':
    case 'date':
      return `CONCAT(LEFT(DATE_FORMAT(${sql}, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`;
    case 'time':
      return `TRIM(TRAILING '.000' FROM LEFT(TIME_FORMAT(${sql}, '%H:%i:%s.%f'), 12))`;
    default:
      return `CONCAT(${sql})`;
  }
}
