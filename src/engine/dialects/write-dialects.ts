/** How each database is written to, by the name of its dialect. */
import type { DialectName } from '../schema/model.js';
import { mariadbWrite, mysqlWrite } from './mysql/writes.js';
import { postgresqlWrite } from './postgresql/writes.js';
import type { WriteDialect } from './write-dialect.js';

const dialects = {
  PostgreSQL: postgresqlWrite,
  MySQL: mysqlWrite,
  MariaDB: mariadbWrite,
} satisfies Record<DialectName, WriteDialect>;

/** The way to write of the dialect of that name. */
export function writeDialectOf(name: DialectName): WriteDialect {
  return dialects[name];
}
