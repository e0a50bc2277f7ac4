/** The dialects of MySQL 8 and of MariaDB 10.6 and newer. */
import type { Dialect } from '../dialect.js';
import { mariadbDdl, mysqlDdl } from './ddl.js';
import { mariadbExpressions, mysqlExpressions } from './expressions.js';
import { mariadbWrites, mysqlWrites } from './writes.js';
import { functionsOf } from '../functions/common.js';
import { comparisonTemplates } from './functions/comparison.js';
import { convertTemplates } from './functions/convert.js';
import { dateTemplates } from './functions/date.js';
import { mysqlLogarithms, numericTemplates } from './functions/numeric.js';
import { stringTemplates } from './functions/string.js';
import { type JsonTable, mariadbJsonTable, mysqlJsonTable } from './json-table.js';

function shared(
  json: JsonTable,
  logarithms?: typeof mysqlLogarithms,
): Pick<Dialect, 'functions' | 'keepsPlans'> {
  const functions = functionsOf({
    ...comparisonTemplates,
    ...numericTemplates,
    ...logarithms,
    ...stringTemplates(json),
    ...dateTemplates,
    ...convertTemplates,
  });
  return { functions, keepsPlans: false };
}

export const mysql: Dialect = Object.freeze<Dialect>({
  ...mysqlExpressions,
  ...shared(mysqlJsonTable, mysqlLogarithms),
  ddl: mysqlDdl,
  writes: mysqlWrites,
});

export const mariadb: Dialect = Object.freeze<Dialect>({
  ...mariadbExpressions,
  ...shared(mariadbJsonTable),
  ddl: mariadbDdl,
  writes: mariadbWrites,
});
