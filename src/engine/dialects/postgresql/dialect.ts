/** The dialect of PostgreSQL 14 and newer. */
import type { Dialect } from '../dialect.js';
import { postgresqlDdl } from './ddl.js';
import { postgresqlExpressions } from './expressions.js';
import { postgresqlWrites } from './writes.js';
import { functionsOf } from '../functions/common.js';
import { comparisonTemplates } from './functions/comparison.js';
import { convertTemplates } from './functions/convert.js';
import { dateTemplates } from './functions/date.js';
import { numericTemplates } from './functions/numeric.js';
import { stringTemplates } from './functions/string.js';

const functions = functionsOf({
  ...comparisonTemplates,
  ...numericTemplates,
  ...stringTemplates,
  ...dateTemplates,
  ...convertTemplates,
});

export const postgresql: Dialect = Object.freeze<Dialect>({
  ...postgresqlExpressions,
  functions,
  writes: postgresqlWrites,
  keepsPlans: true,
  ddl: postgresqlDdl,
});
