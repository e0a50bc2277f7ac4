/** The SQL of every function, by dialect. */
import { invariant } from '../../errors.js';
import type { DialectName } from '../../schema/model.js';
import { mysqlTemplates } from './mysql/templates.js';
import { postgresqlTemplates } from './postgresql/templates.js';
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
