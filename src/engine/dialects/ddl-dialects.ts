/** The ways of making tables, by the dialect's name. */
import type { DialectName } from '../schema/model.js';
import type { DdlDialect } from './ddl-dialect.js';
import { mysqlDdl } from './mysql/ddl.js';
import { postgresqlDdl } from './postgresql/ddl.js';

const dialects = {
  PostgreSQL: postgresqlDdl,
  MySQL: mysqlDdl,
  MariaDB: mysqlDdl,
} satisfies Record<DialectName, DdlDialect>;

/** The way of the dialect of that name. */
export function ddlDialectOf(name: DialectName): DdlDialect {
  return dialects[name];
}
