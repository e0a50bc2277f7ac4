/** The dialects of MySQL 8 and of MariaDB 10.6 and newer. */
import type { Dialect } from '../dialect.js';
import { mysqlDdl } from './ddl.js';
import { mariadbExpressions, mysqlExpressions } from './expressions.js';
import { power, root } from './functions/power.js';
import { mysqlTemplates } from './functions/templates.js';
import { mariadbWrites, mysqlWrites } from './writes.js';

const shared = { functions: mysqlTemplates, operators: { power, root }, ddl: mysqlDdl };

export const mysql: Dialect = Object.freeze<Dialect>({
  ...mysqlExpressions,
  ...shared,
  writes: mysqlWrites,
});

export const mariadb: Dialect = Object.freeze<Dialect>({
  ...mariadbExpressions,
  ...shared,
  writes: mariadbWrites,
});
