/** The SQL of every function for MySQL and MariaDB. */
import { nullTemplates } from '../../functions/null.js';
import type { Template } from '../../functions/template.js';
import { comparisonTemplates } from './comparison.js';
import { convertTemplates } from './convert.js';
import { dateTemplates } from './date.js';
import { numericTemplates } from './numeric.js';
import { stringTemplates } from './string.js';

export const mysqlTemplates: ReadonlyMap<string, Template> = new Map(
  Object.entries({
    ...comparisonTemplates,
    ...nullTemplates,
    ...numericTemplates,
    ...stringTemplates,
    ...dateTemplates,
    ...convertTemplates,
  }),
);
