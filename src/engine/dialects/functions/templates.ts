/** The SQL of every function, by dialect. */
import { invariant } from '../../errors.js';
import type { DialectName } from '../../schema/model.js';
import { power as mysqlPower, root as mysqlRoot } from '../mysql/functions/power.js';
import { mysqlTemplates } from '../mysql/functions/templates.js';
import { power as postgresqlPower, root as postgresqlRoot } from '../postgresql/functions/power.js';
import { postgresqlTemplates } from '../postgresql/functions/templates.js';
import type { Template } from './template.js';

const templates = {
  PostgreSQL: postgresqlTemplates,
  MySQL: mysqlTemplates,
  MariaDB: mysqlTemplates,
} satisfies Record<DialectName, ReadonlyMap<string, Template>>;

/** The template of a function of the table. */
export function templateOf(dialect: DialectName, name: string): Template {
  const template = templates[dialect].get(name);
  invariant(template, `${dialect} has SQL for the function ${name}`);
  return template;
}

/** The operators `**` and `//`. */
export type OperatorTemplate = 'power' | 'root';

const operators = {
  PostgreSQL: { power: postgresqlPower, root: postgresqlRoot },
  MySQL: { power: mysqlPower, root: mysqlRoot },
  MariaDB: { power: mysqlPower, root: mysqlRoot },
} satisfies Record<DialectName, Readonly<Record<OperatorTemplate, Template>>>;

/** The template of an operator. */
export function operatorTemplateOf(dialect: DialectName, name: OperatorTemplate): Template {
  return operators[dialect][name];
}
