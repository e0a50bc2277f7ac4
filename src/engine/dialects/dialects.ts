/** The dialects by name. */
import type { DialectName } from '../schema/model.js';
import type { Dialect } from './dialect.js';
import { mariadb, mysql } from './mysql/expressions.js';
import { postgresql } from './postgresql/expressions.js';

const dialects = {
  PostgreSQL: postgresql,
  MySQL: mysql,
  MariaDB: mariadb,
} satisfies Record<DialectName, Dialect>;

/** The dialect of that name. */
export function dialectOf(name: DialectName): Dialect {
  return dialects[name];
}
