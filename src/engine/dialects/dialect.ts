/** Everything about SQL that differs between databases. */
import type { DdlDialect } from './ddl-dialect.js';
import type { ExpressionDialect } from './expression-dialect.js';
import type { Template } from './functions/template.js';
import type { WriteDialect } from './write-dialect.js';

export interface Dialect extends ExpressionDialect {
  /** The SQL of each function in the function table and of roots, by name. */
  readonly functions: ReadonlyMap<string, Template>;
  readonly writes: WriteDialect;
  /** Whether a prepared statement may go on with a plan that was chosen for other values. */
  readonly keepsPlans: boolean;
  readonly ddl: DdlDialect;
}
