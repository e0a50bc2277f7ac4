/** How MySQL 8 and MariaDB 10.6 and newer are written to. */
import type { PropertyType } from '../../schema/model.js';
import type { WriteDialect } from './write-dialect.js';

/** The columns of JSON_TABLE, whose types are those of CREATE TABLE. */
const columnTypes = {
  integer: 'BIGINT',
  decimal: 'DECIMAL(65,30)',
  number: 'DOUBLE',
  string: 'LONGTEXT',
  boolean: 'TINYINT',
  dateTime: 'DATETIME(6)',
  date: 'DATE',
  time: 'TIME(6)',
  any: 'LONGTEXT',
} satisfies Record<PropertyType, string>;

export const mysqlWrite: WriteDialect = Object.freeze<WriteDialect>({
  givenRows(fields, next) {
    const columns = fields.map(
      ({ type }, index) => `c${index + 1} ${columnTypes[type]} PATH '$[${index}]'`,
    );
    const list = ['ord FOR ORDINALITY', ...columns].join(', ');
    return `JSON_TABLE(${next()}, '$[*]' COLUMNS (${list})) AS given`;
  },
  givenParameters: (rows) => [JSON.stringify(rows)],
  onConflict(keys, updated, { fixed }) {
    const assigned = updated.length > 0 ? updated : keys.slice(0, 1);
    const same = fixed.map(({ column }) => `${column} = VALUES(${column})`).join(' AND ');
    const list = assigned.map(({ column }) =>
      same === ''
        ? `${column} = VALUES(${column})`
        : `${column} = IF(${same}, VALUES(${column}), ${column})`,
    );
    return ` ON DUPLICATE KEY UPDATE ${list.join(', ')}`;
  },
  // What MySQL stored is read by a SELECT of the keys.
  returning: () => '',
  defaultRow: (table) => `INSERT INTO ${table} () VALUES ()`,
  updateGiven: ({ table, alias, given, assignments, conditions }) =>
    `UPDATE ${table} ${alias} INNER JOIN ${given} ON ${conditions.join(' AND ')} SET ${assignments.join(', ')}`,
  moveSequence: undefined,
  // MariaDB knows no alias in a DELETE of one table.
  deleteFrom: (table, alias) => `DELETE ${alias} FROM ${table} ${alias}`,
  amongRows(keys, select, isOwn) {
    const left = keys.length === 1 ? keys.join('') : `(${keys.join(', ')})`;
    // Error 1093: the table that is written may only be read through a table of its own.
    return `${left} IN (${isOwn ? `SELECT * FROM (${select}) AS chosen` : select})`;
  },
});
