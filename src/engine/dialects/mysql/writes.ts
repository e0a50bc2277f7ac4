/** How MySQL 8 and MariaDB 10.6 and newer are written to. */
import type { WriteField } from '../../compiled-write.js';
import type { WriteDialect } from '../write-dialect.js';

/** Placeholders are counted in 16 bits. */
const PLACEHOLDERS_MAX = 65_535;
const ROWS_MAX = 1024;

/** MariaDB tells what an INSERT has stored, and not what an UPDATE has. */
export const mariadbWrites: WriteDialect = {
  // Powers of two: lists of any length are written by few texts, so that these stay prepared.
  rowsAtOnce(left, fields) {
    let rows = 1;
    while (rows * 2 <= Math.min(left, ROWS_MAX) && rows * 2 * fields <= PLACEHOLDERS_MAX) rows *= 2;
    return rows;
  },
  onConflict(keys, updated, { fixed, predicate: displayed }) {
    const list = updated.map(({ column }) => `${column} = VALUES(${column})`);
    return ` ON DUPLICATE KEY UPDATE ${[guard(keys, fixed, displayed), ...list].join(', ')}`;
  },
  returnsInserted: 'columns',
  returnsUpdated: false,
  // An INSERT of counted rows makes consecutive keys, whatever the lock mode (manual, 17.6.1.6).
  madeKeys(column, rows) {
    if (rows === 1) return `${column} = LAST_INSERT_ID()`;
    const step = '@@auto_increment_increment';
    const end = `${column} < LAST_INSERT_ID() + ${rows} * ${step}`;
    const isOwn = `(${column} - LAST_INSERT_ID()) % ${step} = 0`;
    return `${column} >= LAST_INSERT_ID() AND ${end} AND ${isOwn}`;
  },
  defaultRow: (table) => `INSERT INTO ${table} () VALUES ()`,
  moveSequence: undefined,
  // MariaDB knows no alias in a DELETE of one table.
  deleteFrom: (table, alias) => `DELETE ${alias} FROM ${table} ${alias}`,
  readsWritten: ['update'],
  // One state for all violations.
  violationStates: { foreignKey: '23000', unique: '23000' },
  amongRows(keys, select, isOwn) {
    const left = keys.length === 1 ? keys.join('') : `(${keys.join(', ')})`;
    // Error 1093: the table that is written may only be read through a table of its own.
    return `${left} IN (${isOwn ? `SELECT * FROM (${select}) AS chosen` : select})`;
  },
};

export const mysqlWrites: WriteDialect = {
  ...mariadbWrites,
  returnsInserted: 'none',
  readsWritten: [],
};

/**
 * ON DUPLICATE KEY meets the row of any unique key. That of another key than the chosen one, or of
 * another entity on the table, or one that is not shown, must not be updated: the second row of the sub-select makes the
 * statement fail there (error 1242).
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
