/** Everything about SQL that differs between databases. */
import type { DdlDialect } from './ddl-dialect.js';
import type { ExpressionDialect } from './expression-dialect.js';
import type { Template } from './functions/template.js';
import type { WriteDialect } from './write-dialect.js';

export interface Dialect extends ExpressionDialect {
  /** The SQL of each function in the function table, by name. */
  readonly functions: ReadonlyMap<string, Template>;
  /** The SQL of the operators `**` and `//`. */
  readonly operators: Readonly<Record<OperatorTemplate, Template>>;
  readonly writes: WriteDialect;
  /** Whether a prepared statement may go on with a plan that was chosen for other values. */
  readonly keepsPlans: boolean;
  readonly ddl: DdlDialect;
}

export type OperatorTemplate = 'power' | 'root';
