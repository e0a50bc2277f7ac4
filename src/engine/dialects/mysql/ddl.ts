/** Tables as MySQL 8 and MariaDB 10.6 and newer make them. */
import { columnType as typeOfColumn, decimalType, propertyTypes } from './types.js';
import { mysqlExpressions as mysql } from './expressions.js';
import type { ColumnDefinition, DdlDialect } from '../ddl-dialect.js';

/** All columns of this type share 65,535 bytes in a row; longer ones are stored outside the row. */
const VARCHAR_LENGTH_MAX = 4_000;
/** The capacity of TEXT and MEDIUMTEXT in characters of four bytes. */
const TEXT_LENGTH_MAX = 16_383;
const MEDIUMTEXT_LENGTH_MAX = 4_194_303;
/** The maximum size of an InnoDB index entry. */
const INDEX_BYTES_MAX = 3_072;
/** The part of it for binary data, which cannot be longer in a key or an index. */
const KEY_BYTES = 255;
/** The part for any other value that is not a string. */
const VALUE_BYTES_MAX = 32;
const CHARACTER_BYTES = 4;

const shared: DdlDialect = {
  ...mysql,
  // Column names are not case-sensitive (manual, 11.2.3). Whether table names are depends on the
  // file system.
  columnKey: (stored) => stored.toLowerCase(),
  columnType,
  typeOfReference: ({ declared, collation }) =>
    collation === undefined ? declared : `${declared} COLLATE ${collation}`,
  acceptsEnum,
  builtInTypes: new Set(),
  propertyTypes,
  isLong: ({ type, declared }) =>
    type === 'bigint' || type === 'bit' || (type === 'int' && declared.includes('unsigned')),
  booleansAreNumbers: true,
  text: textOf,
  moments: { 'now()': 'UTC_TIMESTAMP(6)', 'today()': 'UTC_DATE', 'curTime()': 'UTC_TIME(3)' },
  hasBareDefaults: false,
  // Without a collation, the character set's default would replace the database's.
  tableSuffix: (collation) => {
    const collate = collation === undefined ? '' : ` COLLATE=${collation}`;
    return ` ENGINE=InnoDB DEFAULT CHARSET=utf8mb4${collate}`;
  },
  indexedColumn,
  canIndex: () => true,
  fitsKey,
  hashesUniqueKeys: false,
  numbersKeys: true,
  foreignKeySuffix: '',
  indexesForeignKeys: true,
  dropForeignKey: 'DROP FOREIGN KEY',
  hidesTables: true,
  temporaryTable: { textType: 'LONGTEXT CHARACTER SET utf8mb4', suffix: '' },
};

/** MySQL has a type for JSON, which it does not index. */
export const mysqlDdl: DdlDialect = {
  ...shared,
  canIndex: (column) => typeName(column) !== 'JSON',
};

export const mariadbDdl: DdlDialect = { ...shared, hashesUniqueKeys: true };

function textOf(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/**
 * The values are compared by the collation of their column and without spaces at the end. The catalog of
 * MariaDB contains no characters outside of the basic plane.
 */
function acceptsEnum(values: readonly string[]): boolean {
  const folded = values.map((each) =>
    each
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase(),
  );
  const isStored = (each: string) => !each.endsWith(' ') && !/[\u{10000}-\u{10ffff}]/u.test(each);
  return values.length > 0 && values.every(isStored) && new Set(folded).size === values.length;
}

function columnType(column: ColumnDefinition): string {
  if (column.sqlType !== undefined) return column.sqlType;
  if (column.enum) return `ENUM (${column.enum.values.map(textOf).join(', ')})`;
  const name = typeName(column);
  return column.autoIncrement ? `${name} AUTO_INCREMENT` : name;
}

function typeName({ type, length, digits, isLong, isInKey }: ColumnDefinition): string {
  if (type === 'string') return textType(length);
  if (type === 'binary' && isInKey === true) return `VARBINARY(${KEY_BYTES})`;
  return type === 'decimal' ? decimalType(digits) : typeOfColumn(type, isLong);
}

/**
 * A column of an index. If the strings are too long for the index together, only their beginnings are
 * indexed.
 */
function indexedColumn(column: ColumnDefinition, all: readonly ColumnDefinition[]): string {
  const name = mysql.quoteName(column.name);
  const texts = all.filter(isText);
  if (!isText(column)) return name;
  const others = all.filter((each) => !isText(each));
  const sizes = others.map(({ type }) => (type === 'binary' ? KEY_BYTES : VALUE_BYTES_MAX));
  const left = sizes.reduce((rest, size) => rest - size, INDEX_BYTES_MAX);
  const charactersMax = Math.floor(left / texts.length / CHARACTER_BYTES);
  return (column.length ?? Infinity) > charactersMax ? `${name}(${charactersMax})` : name;
}

function fitsKey(columns: readonly ColumnDefinition[]): boolean {
  const sizes = columns.map((column) => {
    if (column.enum) return 0;
    if (column.type === 'binary') return KEY_BYTES;
    if (/TEXT|JSON/.test(typeName(column))) return Infinity;
    return isText(column) ? (column.length ?? 0) * CHARACTER_BYTES : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0) <= INDEX_BYTES_MAX;
}

function isText(column: ColumnDefinition): boolean {
  return !column.enum && ['string', 'any', 'xml'].includes(column.type);
}

function textType(length: number | undefined): string {
  if (length === undefined || length > MEDIUMTEXT_LENGTH_MAX) return 'LONGTEXT';
  if (length > TEXT_LENGTH_MAX) return 'MEDIUMTEXT';
  return length > VARCHAR_LENGTH_MAX ? 'TEXT' : `VARCHAR(${length})`;
}
