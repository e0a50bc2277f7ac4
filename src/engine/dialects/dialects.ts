/** The dialects by name. To add one, see ARCHITECTURE.md, "Adding a dialect". */
import type { DialectName } from '../schema/model.js';
import type { Dialect } from './dialect.js';
import { mariadb, mysql } from './mysql/dialect.js';
import { postgresql } from './postgresql/dialect.js';

export const dialects: Record<DialectName, Dialect> = {
  PostgreSQL: postgresql,
  MySQL: mysql,
  MariaDB: mariadb,
};

export function dialectOf(name: DialectName): Dialect {
  return dialects[name];
}
