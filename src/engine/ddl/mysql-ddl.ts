/** Tables as MySQL 8 and MariaDB 10.6 and newer make them. */
import { mysql } from '../sql/mysql.js';
import type { PropertyType } from '../schema/model.js';
import type { DdlDialect } from './ddl-dialect.js';
import { unquoted } from './stored-name.js';
import type { ColumnDefinition } from './table.js';

/** A row holds 65,535 bytes of such columns in all; longer ones live outside it. */
const VARCHAR_LENGTH_MAX = 4_000;
/** Characters of four bytes that TEXT and MEDIUMTEXT hold. */
const TEXT_LENGTH_MAX = 16_383;
const MEDIUMTEXT_LENGTH_MAX = 4_194_303;

const typeNames = {
  integer: 'INTEGER',
  decimal: 'DECIMAL(38,10)',
  number: 'DOUBLE',
  string: 'LONGTEXT',
  boolean: 'BOOLEAN',
  // DATETIME holds what it is given: Rowgate writes UTC. TIMESTAMP ends in 2038.
  dateTime: 'DATETIME(6)',
  date: 'DATE',
  time: 'TIME(3)',
  any: 'LONGTEXT',
} satisfies Record<PropertyType, string>;

export const mysqlDdl: DdlDialect = Object.freeze<DdlDialect>({
  quoteName: (mapping) => mysql.quoteName(mapping),
  quoteStored: (name) => mysql.quoteAlias(name),
  storedName: (mapping) => {
    const sql = mysql.quoteName(mapping);
    return unquoted(sql, '`') ?? sql;
  },
  // Column names have no case (manual, 11.2.3); those of tables depend on the file system.
  columnKey: (stored) => stored.toLowerCase(),
  columnType,
  text: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
  moments: { now: 'UTC_TIMESTAMP(6)', today: 'UTC_DATE', curTime: 'UTC_TIME(3)' },
  hasBareDefaults: false,
  tableSuffix: ' ENGINE=InnoDB DEFAULT CHARSET=utf8mb4',
  foreignKeySuffix: '',
  indexesForeignKeys: true,
  dropForeignKey: 'DROP FOREIGN KEY',
});

function columnType(column: ColumnDefinition): string {
  const { type, length } = column;
  const name = type === 'string' ? textType(length) : typeNames[type];
  return column.autoIncrement ? `${name} AUTO_INCREMENT` : name;
}

function textType(length: number | undefined): string {
  if (length === undefined || length > MEDIUMTEXT_LENGTH_MAX) return 'LONGTEXT';
  if (length > TEXT_LENGTH_MAX) return 'MEDIUMTEXT';
  return length > VARCHAR_LENGTH_MAX ? 'TEXT' : `VARCHAR(${length})`;
}
