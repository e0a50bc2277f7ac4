/** Which type a property has for each type of column, and which columns cannot be mapped. */
import type { ExistingColumn } from '../ddl/existing.js';
import type { DialectName, PropertyType } from '../schema/model.js';

/** The type of a property, with its length where there is one. */
export interface MappedType {
  readonly type: PropertyType;
  readonly length?: number;
}

type Types = Readonly<Record<string, PropertyType>>;

function all(type: PropertyType, names: string): [string, PropertyType][] {
  return names.split(' ').map((name) => [name, type]);
}

const postgresql: Types = Object.fromEntries([
  ...all('integer', 'int2 int4 int8 oid'),
  ...all('decimal', 'numeric'),
  ...all('number', 'float4 float8'),
  ...all('boolean', 'bool'),
  ...all('string', 'varchar bpchar text name char citext uuid inet cidr macaddr macaddr8'),
  ...all('string', 'interval xml ltree bytea'),
  ...all('json', 'json jsonb'),
  ...all('dateTime', 'timestamptz timestamp'),
  ...all('date', 'date'),
  ...all('time', 'time'),
]);

const mysql: Types = Object.fromEntries([
  ...all('boolean', 'tinyint(1) bit(1)'),
  ...all('integer', 'tinyint smallint mediumint int bigint bit year'),
  ...all('decimal', 'decimal'),
  ...all('number', 'float double'),
  ...all('string', 'char varchar tinytext text mediumtext longtext enum set'),
  ...all('json', 'json'),
  ...all('string', 'binary varbinary tinyblob blob mediumblob longblob uuid inet4 inet6'),
  ...all('dateTime', 'datetime timestamp'),
  ...all('date', 'date'),
  ...all('time', 'time'),
]);

/** The types of columns that can be mapped, by the names that the catalogs have for them. */
export const columnTypes = {
  PostgreSQL: postgresql,
  MySQL: mysql,
  MariaDB: mysql,
} satisfies Record<DialectName, Types>;

/** Types whose length counts characters; that of others counts bytes. */
const counted = new Set(['varchar', 'bpchar', 'char']);
const UUID_LENGTH = 36;

/** The type that a property of that column has; undefined where there is none for it. */
export function mappedType(column: ExistingColumn, dialect: DialectName): MappedType | undefined {
  if (column.enum) return { type: 'string', length: longest(column.enum.values) };
  const known = columnTypes[dialect];
  const type = Object.hasOwn(known, column.type) ? known[column.type] : undefined;
  if (type === undefined) return undefined;
  const length = lengthOf(column);
  return { type, ...(length !== undefined && { length }) };
}

function lengthOf({ type, length }: ExistingColumn): number | undefined {
  if (type === 'uuid') return UUID_LENGTH;
  return counted.has(type) ? length : undefined;
}

function longest(values: readonly string[]): number {
  return Math.max(1, ...values.map((value) => [...value].length));
}
