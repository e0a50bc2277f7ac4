/** The dialects of MySQL 8 and of MariaDB 10.6 and newer. */
import type { Dialect } from '../dialect.js';
import { mariadbDdl, mysqlDdl } from './ddl.js';
import { mariadbExpressions, mysqlExpressions } from './expressions.js';
import { mariadbWrites, mysqlWrites } from './writes.js';
import { functionsOf } from '../functions/common.js';
import type { Template } from '../functions/template.js';
import { comparisonTemplates, mysqlIn } from './functions/comparison.js';
import { convertTemplates } from './functions/convert.js';
import { dateTemplates } from './functions/date.js';
import { mysqlLogarithms, numericTemplates } from './functions/numeric.js';
import { stringTemplates } from './functions/string.js';
import { type JsonTable, mariadbJsonTable, mysqlJsonTable } from './json-table.js';

/** `own`: the templates that replace the common ones. */
function shared(
  json: JsonTable,
  own: Readonly<Record<string, Template>> = {},
): Pick<Dialect, 'functions' | 'keepsPlans'> {
  const functions = functionsOf({
    ...comparisonTemplates,
    ...numericTemplates,
    ...stringTemplates(json),
    ...dateTemplates,
    ...convertTemplates,
    ...own,
  });
  return { functions, keepsPlans: false };
}

export const mysql: Dialect = Object.freeze<Dialect>({
  ...mysqlExpressions,
  ...shared(mysqlJsonTable, { ...mysqlLogarithms, in: mysqlIn }),
  ddl: mysqlDdl,
  writes: mysqlWrites,
});

export const mariadb: Dialect = Object.freeze<Dialect>({
  ...mariadbExpressions,
  ...shared(mariadbJsonTable),
  ddl: mariadbDdl,
  writes: mariadbWrites,
});
