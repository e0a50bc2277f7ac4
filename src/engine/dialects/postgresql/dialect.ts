/** The dialect of PostgreSQL 14 and newer. */
import type { Dialect } from '../dialect.js';
import { postgresqlDdl } from './ddl.js';
import { postgresqlExpressions } from './expressions.js';
import { power, root } from './functions/power.js';
import { postgresqlTemplates } from './functions/templates.js';
import { postgresqlWrites } from './writes.js';

export const postgresql: Dialect = Object.freeze<Dialect>({
  ...postgresqlExpressions,
  functions: postgresqlTemplates,
  operators: { power, root },
  writes: postgresqlWrites,
  ddl: postgresqlDdl,
});
