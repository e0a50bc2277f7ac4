/** All that Rowgate knows of one database's SQL; everything else is the renderers'. */
import type { DdlDialect } from './ddl-dialect.js';
import type { ExpressionDialect } from './expression-dialect.js';
import type { Template } from './functions/template.js';
import type { WriteDialect } from './write-dialect.js';

export interface Dialect extends ExpressionDialect {
  /** The SQL of every function of the function table, by its name. */
  readonly functions: ReadonlyMap<string, Template>;
  /** The operators `**` and `//`. */
  readonly operators: Readonly<Record<OperatorTemplate, Template>>;
  readonly writes: WriteDialect;
  readonly ddl: DdlDialect;
}

export type OperatorTemplate = 'power' | 'root';
