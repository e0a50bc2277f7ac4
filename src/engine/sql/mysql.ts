/** The dialect of MySQL 8 and MariaDB 10.6 and newer. */
import type { AggregateName } from '../query/logical.js';
import type { DialectName, PropertyType } from '../schema/model.js';
import type { ComparedWith, Dialect, DialectOperator, OperandTypes } from './dialect.js';
import { quoted, quoteName, unquoted } from './quote-name.js';
import { QUOTIENT_DIGITS } from './quotient-digits.js';
import { power } from './functions/mysql/power.js';
import { mysqlReservedWords } from './reserved-words.js';
import { withoutExponent } from './without-exponent.js';

const castTypes = {
  integer: 'SIGNED',
  decimal: 'DECIMAL(65,30)',
  number: 'DOUBLE',
  boolean: 'SIGNED',
  dateTime: 'DATETIME(6)',
  date: 'DATE',
  time: 'TIME(6)',
} satisfies Record<Exclude<PropertyType, 'string' | 'any'>, string>;

export const mysql: Dialect = mysqlDialect('MySQL');
export const mariadb: Dialect = mysqlDialect('MariaDB');

function mysqlDialect(name: DialectName): Dialect {
  return Object.freeze<Dialect>({
    name,
    quoteName: (mapping) => quoteName(mapping, '`', mysqlReservedWords),
    storedName: (mapping) => {
      const sql = quoteName(mapping, '`', mysqlReservedWords);
      return unquoted(sql, '`') ?? sql;
    },
    quoteAlias: (alias) => quoted(alias, '`'),
    placeholder: () => '?',
    repeatsPlaceholders: false,
    scalar,
    numberLiteral: withoutExponent,
    hasLateral: false,
    listRows: (placeholder) => placeholder,
    amongKeys: (column, placeholder) => `${column} IN (${placeholder})`,
    cast,
    compared: ({ sql, type }, other) => (isBesideKey(type, other) ? cast(sql, type) : sql),
    amongItems: (value, { placeholder, type }, other) =>
      `${isBesideKey(type, other) ? `${value} + 0` : value} IN (${placeholder})`,
    boolean: (value) => (value ? 'TRUE' : 'FALSE'),
    binary,
    complement: (operand) => `CAST(~ ${operand} AS SIGNED)`,
    aggregate,
    // A name may be sorted by, but stands in no expression there (ER_ILLEGAL_REFERENCE).
    namesGroups: false,
    sortKey,
    textOf,
  });
}

/**
 * Whether a number that need not be whole stands beside a column of integers. MariaDB looks up what is
 * written as it is in an index by its rounded value, and leaves the condition out (10.11: `key = 2.25`
 * finds the rows of 2).
 */
function isBesideKey(type: PropertyType, other: ComparedWith): boolean {
  return other.isColumn && other.type === 'integer' && (type === 'decimal' || type === 'number');
}

/** A text stays as it is: CAST would give it a collation, which that of a column may not suit. */
function cast(sql: string, type: PropertyType): string {
  return type === 'string' || type === 'any' ? sql : `CAST(${sql} AS ${castTypes[type]})`;
}

function scalar(text: string, type: PropertyType): string {
  if (type === 'boolean') return text === 'true' ? '1' : '0';
  if (type === 'dateTime') return text.replace('T', ' ').replace('Z', '');
  return type === 'decimal' ? withoutExponent(text) : text;
}

function aggregate(name: AggregateName, argument: string, type: PropertyType): string {
  const sql = `${name.toUpperCase()}(${argument})`;
  return name === 'avg' && type !== 'number' ? `ROUND(${sql}, ${QUOTIENT_DIGITS})` : sql;
}

function binary(operator: DialectOperator, left: string, right: string, types: OperandTypes) {
  switch (operator) {
    case '**':
      return power(left, right);
    case '//':
      // A quotient of decimals would have four digits only.
      return `POWER(${left}, 1e0 / ${right})`;
    // Bits are unsigned in MySQL (manual, 14.12, "Bit Functions and Operators").
    case '&':
    case '|':
    case '^':
    case '<<':
      return `CAST(${left} ${operator} ${right} AS SIGNED)`;
    case '>>':
      // An operand is written once, because it may hold placeholders.
      return `CAST(FLOOR(CAST(${left} AS DECIMAL(65,0)) / (1 << ${right})) AS SIGNED)`;
    case '/':
      if (types.left === 'number' || types.right === 'number') return `${left} / ${right}`;
      return `ROUND(${left} / ${right}, ${QUOTIENT_DIGITS})`;
    case 'join':
      return `CONCAT(${textOf(left, types.left)}, ${textOf(right, types.right)})`;
    default:
      return `${left} ${operator} ${right}`;
  }
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
    case 'string':
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
