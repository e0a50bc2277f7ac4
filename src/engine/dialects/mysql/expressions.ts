/** Expressions on MySQL 8 and MariaDB 10.6 and newer. */
import type { AggregateName } from '../../query/logical.js';
import type { ItemType, PropertyType } from '../../schema/model.js';
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
import { jsonPart, jsonPaths, mariadbJsonPaths } from './json-path.js';
import { type JsonTable, lateral, mariadbJsonTable, mysqlJsonTable } from './json-table.js';
import { collatedAs, uncollated } from './functions/cast.js';
import { mysqlReservedWords } from '../reserved-words.js';
import { withoutExponent } from '../without-exponent.js';
import { bounded, type DecimalItem, exactDouble, scalarsWith } from './scalars.js';

/** What differs between MySQL and MariaDB. */
interface Own
  extends Pick<
    ExpressionDialect,
    | 'name'
    | 'jsonPaths'
    | 'namedValues'
    | 'cast'
    | 'byCodePoint'
    | 'nullText'
    | 'compared'
    | 'equatedColumn'
    | 'aggregate'
    | 'joinComputed'
  > {
  /** The collation by code point that does not ignore trailing blanks. */
  readonly codePoints: string;
  readonly jsonTable: JsonTable;
  /** A decimal in an array, from its JSON. */
  readonly decimalItem: DecimalItem;
  /** A value that is searched in a JSON array. */
  readonly searched: (value: string, array: () => string) => string;
}

export const mysqlExpressions: ExpressionDialect = expressionsOf({
  name: 'MySQL',
  jsonPaths,
  namedValues: (values) =>
    lateral(values.map(({ sql }, index) => `${sql} AS a${index + 1}`).join(', '), 'arg'),
  // A null that the server computes first has no character set.
  byCodePoint: (sql) => `CONVERT(${sql} USING utf8mb4) COLLATE utf8mb4_0900_bin`,
  // `CASE WHEN a THEN ? ELSE NULL END` would be bytes.
  nullText: 'CONVERT(NULL USING utf8mb4)',
  // The server casts a parameter such as '01:00:00' to 00:00:00 (9.7).
  cast: (sql, type) => cast(type === 'time' ? `CONCAT(${sql})` : sql, type),
  codePoints: 'utf8mb4_0900_bin',
  jsonTable: mysqlJsonTable,
  // The server would not find the columns of a LATERAL table there (8.0, 8.4).
  joinComputed: (columns, alias) => `JOIN ${lateral(columns, alias)}`,
  decimalItem: exactDouble,
  // The server crashes when it executes a prepared `1 + 1 IN (SELECT …)` again beside joins and groups (8.0), so the
  // value must not be constant.
  searched: (value, array) => `CASE WHEN ${array()} IS NOT NULL THEN ${value} END`,
  compared: ({ sql }) => sql,
  // The server looks up a computed number in an index by its rounded value (8.4: `key = 1 / 2` finds the rows with 1; 9.7:
  // `key = SQRT(0.25)` those with 0), but not a literal.
  equatedColumn: ({ sql, type }, other) =>
    isInexact(other.type) && !other.isConstant && isExact(type) ? `${sql} + 0` : sql,
  // The server would take the parameter for null where it groups rows in a temporary table, and when it opens the tables.
  aggregate: (name, argument, type) =>
    aggregate(name, () => argument().replace(/^(DISTINCT )?\?$/, '$1CONCAT(?)'), type),
});
export const mariadbExpressions: ExpressionDialect = expressionsOf({
  name: 'MariaDB',
  jsonPaths: mariadbJsonPaths,
  namedValues: namedByJson,
  byCodePoint: (sql) => `${sql} COLLATE utf8mb4_nopad_bin`,
  cast,
  codePoints: 'utf8mb4_nopad_bin',
  jsonTable: mariadbJsonTable,
  decimalItem: (json) => json,
  // If the value were a sub-select without columns of outer queries, the server would find it in any array.
  searched: (value) => `COALESCE(${value})`,
  aggregate,
  compared: exact,
  equatedColumn: (column, other) =>
    column.type === other.type ? column.sql : exact(column, other),
});

function expressionsOf(all: Own): ExpressionDialect {
  const { codePoints, jsonTable, decimalItem, searched, ...own } = all;
  return {
    ...own,
    quoteName: asName,
    storedName,
    quoteAlias: (alias) => quoted(alias, '`'),
    placeholder: () => '?',
    repeatsPlaceholders: false,
    losesOffset: true,
    // The server does not know that it is constant, so it stores the keys of all rows before it sorts them. If it
    // computed them while sorting, MariaDB would mix up groups by a key with a subquery, and fail for a row that is
    // excluded by a join after the sort.
    constantKey: 'RAND() * 0',
    scalar: scalarsWith(decimalItem),
    numberLiteral,
    hasLateral: false,
    listRows: (placeholder) => placeholder,
    amongKeys: (column, placeholder) => `${column} IN (${placeholder})`,
    element,
    amongElements: (value, array, item) => {
      const element = isText(item) ? `e COLLATE ${codePoints}` : 'e';
      const items = `${jsonTable(array(), `e ${computedType(item)} PATH '$'`, 'items')} WHERE e IS NOT NULL`;
      const among = `${searched(value, array)} IN (SELECT ${element} FROM ${items})`;
      return `CASE WHEN ${array()} IS NOT NULL THEN COALESCE(${among}, FALSE) END`;
    },
    // MariaDB sends a computed `bit` as digits, which cannot be told from the bits of a column.
    plain: (sql, type) => (type === 'boolean' || type === 'integer' ? `(${asNumber(sql)})` : sql),
    storedDate: (sql) => `CAST(${sql} AS CHAR)`,
    base64,
    ofBase64: (sql) => `FROM_BASE64(${sql})`,
    jsonPart,
    tuple: (columns) => `JSON_ARRAY(${columns.map(partOfTuple).join(', ')})`,
    amongTuples: (columns, placeholder) => `(${columns.join(', ')}) IN (${placeholder})`,
    amongItems: (value, { placeholder, type }, other) =>
      `${isBesideKey(type, other) ? `${value} + 0` : value} IN (${placeholder})`,
    binary,
    // A difference is signed (`sql_mode`), whereas a sum or a product with an unsigned number could not be negative.
    integer: (sql) => `(${sql} DIV 1 - 0)`,
    uncollated,
    bounded,
    materialized: (decimal) => cast(decimal, 'decimal'),
    join: (texts) => `CONCAT(${texts.join(', ')})`,
    rowFunctions: new Set(['indexOf', 'replace', 'strCount', 'title']),
    valueNamed,
    // The server would make a decimal of the least integer if the operand is constant.
    negated: (operand) => `${operand} * -1`,
    // The server returns the least integer where it is subtracted from 0 (MariaDB 10.11). Here `-1 -` stands for `~`,
    // which keeps the range of integers.
    difference: (left, right) => `-1 - (-1 - ${left} + ${right})`,
    complement: (operand) => `CAST(~ ${operand} AS SIGNED)`,
    // ORDER BY can use a column's name, but not in an expression if it is an aggregate
    // (ER_ILLEGAL_REFERENCE).
    namesGroups: false,
    hasDoublePowers: true,
    // The parser recurses on a stack of 292 KiB, which overflows at a depth of about 440.
    nestingMax: 300,
    sortKey,
    keepKey,
    textOf,
  };
}

/** A number with an exponent is a decimal even if it is whole; the point tells the database. */
function numberLiteral(text: string): string {
  const exact = withoutExponent(text);
  return exact === text || exact.includes('.') ? exact : `${exact}.`;
}

function asName(mapping: string): string {
  return quoteName(mapping, '`', mysqlReservedWords);
}

function storedName(mapping: string): string {
  const sql = asName(mapping);
  return unquoted(sql, '`') ?? sql;
}

/** A number as it is compared with a column, in the index, too. */
function exact({ sql, type }: TypedSql, other: ComparedWith): string {
  return isBesideKey(type, other) ? `${sql} + 0` : sql;
}

/**
 * Whether a number that may have more digits after the point is compared with a column. MariaDB looks up
 * a literal in an index by its rounded value and drops the condition (10.11: `key = 2.25` finds the rows
 * with 2), and warns of a value that is out of range if a column's value does not fit the index. Neither
 * happens with a sum.
 */
function isBesideKey(type: PropertyType, other: ComparedWith): boolean {
  return other.isColumn && isExact(other.type) && isInexact(type);
}

function isExact(type: PropertyType): boolean {
  return type === 'integer' || type === 'decimal';
}

/** Whether a number may have more digits after the point than a column. */
function isInexact(type: PropertyType): boolean {
  return type === 'decimal' || type === 'number';
}

/**
 * A cast. Strings are not cast, because CAST would give them a collation that may conflict with that of
 * a column.
 */
function cast(sql: string, type: PropertyType): string {
  return isText(type) ? sql : `CAST(${sql} AS ${castTypes[type]})`;
}

/** Whether a type has no cast: strings, and types that expressions treat as strings, such as JSON. */
function isText(type: PropertyType): type is Exclude<PropertyType, keyof typeof castTypes> {
  return !Object.hasOwn(castTypes, type);
}

/**
 * The item of an array. MariaDB would read a column of JSON_TABLE as empty where it groups or sorts rows by it
 * (10.11).
 */
function element(array: () => string, index: number, item: ItemType): string {
  const part = () => `JSON_EXTRACT(${array()}, '$[${index}]')`;
  const text = `JSON_UNQUOTE(${part()})`;
  const value = item === 'boolean' ? `${text} = 'true'` : cast(text, item);
  return `CASE WHEN JSON_TYPE(${part()}) <> 'NULL' THEN ${value} END`;
}

/** A `bit` has no digits, and those of a column with ZEROFILL begin with zeros. */
function asNumber(sql: string): string {
  return `${sql} + 0`;
}

function partOfTuple({ sql, type }: TypedSql): string {
  if (type === 'binary') return base64(sql);
  return `CONCAT(${type === 'integer' || type === 'boolean' ? asNumber(sql) : sql})`;
}

/** TO_BASE64 breaks its lines. Without a character set, CHAR would make the text binary. */
function base64(sql: string): string {
  return `REPLACE(TO_BASE64(${sql}), CHAR(10 USING utf8mb4), '')`;
}

/**
 * In a temporary table, AVG of decimals has only 27 digits before the point (10.11). A sub-select is not repeated,
 * because nested ones would multiply.
 */
function aggregate(name: AggregateName, argument: () => string, type: PropertyType): string {
  const sql = argument();
  const call = `${name.toUpperCase()}(${sql})`;
  // A sum of doubles that is too great is infinite, and infinity is answered as null; adding to it fails.
  if (type === 'number') return name === 'sum' || name === 'avg' ? `(${call} + 0e0)` : call;
  if (name !== 'avg') return call;
  if (type !== 'decimal' || sql.includes('SELECT')) return `ROUND(${call}, ${QUOTIENT_DIGITS})`;
  return `CAST(SUM(${sql}) / COUNT(${argument()}) AS DECIMAL(65,${QUOTIENT_DIGITS}))`;
}

/**
 * A division by zero gives null here because of the session's `sql_mode`. A rounded double must not be
 * stored in a temporary table, as a group is: there it is at most 1e17 (10.11).
 */
function binary(operator: DialectOperator, left: string, right: string, types: OperandTypes) {
  switch (operator) {
    // The results of bit operations are unsigned in MySQL (manual, 14.12, "Bit Functions and
    // Operators").
    case '&':
    case '|':
    case '^':
      return `CAST(${left} ${operator} ${right} AS SIGNED)`;
    case '<<':
      return `CAST(${left} << ${isShort(right) ? right : `LOG2(1 << ${shiftCount(right)})`} AS SIGNED)`;
    case '>>':
      // If the 1 is shifted out of the bits, this divides by zero, and the result is null as
      // required.
      return `CAST(FLOOR(CAST(${left} AS DECIMAL(65,30)) / (1 << ${shiftCount(right)})) AS SIGNED)`;
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

/** Whether the SQL is a shift count of 0 to 63. */
function isShort(sql: string): boolean {
  return /^\d+$/.test(sql) && Number(sql) < 64;
}

/**
 * A shift count that shifts a 1 out of the bits if it is not one of 0 to 63; MariaDB would use only its last
 * 32 bits. The logarithm of 0 is null.
 */
function shiftCount(sql: string): string {
  return isShort(sql) ? sql : `GREATEST(LEAST(${sql}, 64), -1)`;
}

/**
 * A table of values, each computed once. JSON_TABLE, unlike a sub-select, can read the row around it on MariaDB.
 */
function namedByJson(values: readonly TypedSql[]): string {
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

/** The condition that a value fits a decimal. MariaDB would warn and use its greatest decimal. */
function fitsDecimal(double: string): string {
  return `(COALESCE(ABS(${double}), 0) < 1e35 OR EXP(ABS(${double})) IS NULL)`;
}

function valueNamed(name: string, type: PropertyType, collated: string | undefined): string {
  if (!isText(type)) return `arg.${name}`;
  return collatedAs(collated, uncollated(`arg.${name}`));
}

/** A sort key. Nulls come first in ascending order by default, and there is no NULLS LAST. */
function sortKey(key: () => string, descending: boolean, keep: (sql: string) => string): string {
  const direction = descending ? ' DESC' : '';
  return `${beside(key())} IS NULL${direction}, ${keep(key())}${direction}`;
}

/**
 * Once a key was constant, MariaDB has removed it from the prepared statement for good (10.11). It does not
 * see that this expression is constant.
 */
function keepKey(sql: string): string {
  return `COALESCE(${sql}, NULL)`;
}

/** The operand of IS, in parentheses because AND, OR and NOT bind more weakly. */
function beside(sql: string): string {
  return /^[\w.`]+$/.test(sql) ? sql : `(${sql})`;
}

/** Null for the text of a date without a year, a month or a day; functions of dates would cause a warning. */
function wholeDate(text: string): string {
  const notZero = '([1-9]0|[0-9][1-9])';
  return `NULLIF(REGEXP_SUBSTR(${text}, '^[0-9]*[1-9][0-9]*-${notZero}-${notZero}T.*$'), '')`;
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
      return wholeDate(`CONCAT(LEFT(DATE_FORMAT(${sql}, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`);
    case 'time':
      // The hours may have a sign, or three digits.
      return `TRIM(TRAILING '.000' FROM REGEXP_REPLACE(TIME_FORMAT(${sql}, '%H:%i:%s.%f'), '...$', ''))`;
    case 'integer':
      return `CONCAT(${asNumber(sql)})`;
    default:
      return `CONCAT(${sql})`;
  }
}
