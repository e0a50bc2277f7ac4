/** Everything that differs between databases in SQL. */
import type { DdlDialect } from './ddl-dialect.js';
import type { ExpressionDialect } from './expression-dialect.js';
import type { Template } from './functions/template.js';
import type { WriteDialect } from './write-dialect.js';

export interface Dialect extends ExpressionDialect {
  /** The SQL of each function of the function table, by name. */
  readonly functions: ReadonlyMap<string, Template>;
  /** The operators `**` and `//`. */
  readonly operators: Readonly<Record<OperatorTemplate, Template>>;
  readonly writes: WriteDialect;
  readonly ddl: DdlDialect;
}

export type OperatorTemplate = 'power' | 'root';
