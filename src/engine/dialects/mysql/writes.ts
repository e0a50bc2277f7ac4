/** Writes on MySQL 8 and on MariaDB 10.6 and newer. */
import type { WriteField } from '../../compiled-write.js';
import type { KeptKeys, WriteDialect } from '../write-dialect.js';
import { decimalType } from './types.js';

/** The protocol counts placeholders in 16 bits. */
const PLACEHOLDERS_MAX = 65_535;
const ROWS_MAX = 1024;

/** A date without a month or a day, as an export writes it. */
const partialDate = { pattern: /^\d{4}-(?:00-[0-3]\d|[01]\d-00)(?:T[\d:.]+Z)?$/ };

/** The characters of a number that are kept for each of several rows, after a comma. */
const KEPT_DIGITS = 20;

/**
 * The keys as they are stored, whatever types and triggers make of the given ones, in variables of the session. Those of
 * several rows are the end of one text, since the variable still has the keys of the INSERT before.
 */
const keptKeys: KeptKeys = {
  returned(fields, rows) {
    if (rows === 1)
      return fields.map((field, at) => `LENGTH(${keptName(field, at)} := ${field.column})`);
    const size = rows * (KEPT_DIGITS + 1);
    const columns = fields.map(({ column }) => column).join();
    // Zeros before the digits of a column with ZEROFILL would be no JSON.
    const list = `CONCAT(IFNULL(@rowgate_keys, ''), ',', LPAD(${columns} + 0, ${KEPT_DIGITS}, ' '))`;
    return [`LENGTH(@rowgate_keys := RIGHT(${list}, ${size}))`];
  },
  from(table, alias, fields, rows) {
    if (rows === 1) {
      const isOwn = fields.map((field, at) => `${alias}.${field.column} = ${keptName(field, at)}`);
      return `FROM ${table} ${alias} WHERE ${isOwn.join(' AND ')} FOR UPDATE`;
    }
    const list = "CONCAT('[', SUBSTR(@rowgate_keys, 2), ']')";
    const kept = "COLUMNS (ord FOR ORDINALITY, id DECIMAL(20) PATH '$')";
    const join = `JSON_TABLE(${list}, '$[*]' ${kept}) AS rowgate_kept STRAIGHT_JOIN ${table} ${alias}`;
    const own = fields.map(({ column }) => `${alias}.${column}`).join();
    return `FROM ${join} ON ${own} = rowgate_kept.id ORDER BY rowgate_kept.ord`;
  },
};

/**
 * Each type has variables of its own: a statement is prepared while they have the values of the rows before, and a column
 * of type UUID or INET6 cannot be compared with a number.
 */
function keptName({ type }: WriteField, at: number): string {
  return `@rowgate_${type}${at}`;
}

/** MariaDB returns the rows of an INSERT, but not those of an UPDATE. */
export const mariadbWrites: WriteDialect = {
  // Powers of two, so that lists of any length need few texts, which stay prepared.
  rowsAtOnce(left, fields) {
    let rows = 1;
    while (rows * 2 <= Math.min(left, ROWS_MAX) && rows * 2 * fields <= PLACEHOLDERS_MAX) rows *= 2;
    return rows;
  },
  // Three bytes each are less than 1 MiB, which is far less than most servers accept (`max_allowed_packet`).
  charactersAtOnce: 1 << 18,
  onConflict(keys, updated, { fixed, predicate: displayed }) {
    const list = updated.map(({ column }) => `${column} = VALUES(${column})`);
    return ` ON DUPLICATE KEY UPDATE ${[guard(keys, fixed, displayed), ...list].join(', ')}`;
  },
  returnsInserted: 'columns',
  returnsUpdated: false,
  keptKeys,
  // An INSERT with a known number of rows generates consecutive keys in every lock mode (manual,
  // 17.6.1.6).
  generatedKeys(column, rows) {
    if (rows === 1) return `${column} = LAST_INSERT_ID()`;
    const step = '@@auto_increment_increment';
    const end = `${column} < LAST_INSERT_ID() + ${rows} * ${step}`;
    const isOwn = `(${column} - LAST_INSERT_ID()) % ${step} = 0`;
    return `${column} >= LAST_INSERT_ID() AND ${end} AND ${isOwn}`;
  },
  defaultRow: (table) => `INSERT INTO ${table} () VALUES ()`,
  moveSequence: undefined,
  // MariaDB does not allow an alias in a DELETE of one table.
  deleteFrom: (table, alias) => `DELETE ${alias} FROM ${table} ${alias}`,
  commonYears: true,
  // A date may lack its month or day. A TIME may be negative, or longer than a day. A string may have U+0000, as PHP writes
  // it into serialized objects, and so may one in JSON.
  storedTexts: {
    hasNullsInJson: true,
    string: { pattern: /^(?=[^\0]*\0)\P{Cs}*$/u, name: 'a string (of well-formed Unicode)' },
    date: partialDate,
    dateTime: partialDate,
    time: {
      pattern: /^-?(?:\d\d|[0-7]\d\d|8[0-2]\d|83[0-8]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/,
      name: 'a time (HH:MM:SS, from -838:59:59 to 838:59:59)',
    },
  },
  readsWritten: ['update'],
  // All violations have the same SQLSTATE.
  violationStates: { foreignKey: '23000', unique: '23000' },
  amongRows(keys, select, isOwn) {
    const left = keys.length === 1 ? keys.join('') : `(${keys.join(', ')})`;
    // Error 1093: the table that is written can be read only through a derived table.
    return `${left} IN (${isOwn ? `SELECT * FROM (${select}) AS chosen` : select})`;
  },
};

export const mysqlWrites: WriteDialect = {
  ...mariadbWrites,
  returnsInserted: 'none',
  readsWritten: [],
  keptKeys: undefined,
  asStored: (sql, { type, digits }) =>
    type === 'decimal' ? `CAST(${sql} AS ${decimalType(digits)})` : sql,
};

/**
 * ON DUPLICATE KEY applies to a conflict with any unique key. A row must not be updated if it has
 * another key than the given one, belongs to another entity in the table, or is outside the view. For
 * such a row, the sub-select returns two rows, which makes the statement fail (error 1242).
 */
function guard(
  keys: readonly WriteField[],
  fixed: readonly WriteField[],
  displayed: string | undefined,
): string {
  const [first] = keys;
  if (!first) return '';
  const same = [...keys, ...fixed].map(({ column }) => `${column} <=> VALUES(${column})`);
  if (displayed !== undefined) same.push(displayed);
  const failing = `SELECT ${first.column} FROM (SELECT 1 UNION SELECT 2) AS rowgate_other`;
  return `${first.column} = IF(${same.join(' AND ')}, ${first.column}, (${failing}))`;
}
