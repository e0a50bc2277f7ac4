/** Paths into JSON on PostgreSQL. */
import type { ExpressionDialect } from '../expression-dialect.js';
import { isIndex } from '../json-steps.js';
import { postgresqlArray } from './array-literal.js';

/**
 * Arrays of names, and between them single names that `#>` would take for an index of an array, such as `-1`
 * or `01`. There `->` is used, which only looks for a member.
 */
export function jsonPaths(steps: readonly string[]): readonly string[] {
  const at = steps.findIndex((step) => /^\s*[-+]?\d+$/.test(step) && !isIndex(step));
  if (at === -1) return [postgresqlArray(steps)];
  return [postgresqlArray(steps.slice(0, at)), steps[at] ?? '', ...jsonPaths(steps.slice(at + 1))];
}

/** The value at a path, as JSON or as a scalar. A value of another type is null. */
export const jsonPart: ExpressionDialect['jsonPart'] = (document, paths, type) => {
  const parts = (last: string) => {
    let sql = `${document()}::jsonb`;
    for (const [index, path] of paths.entries()) {
      const operator = index === paths.length - 1 ? last : '#>';
      sql += index % 2 === 1 ? ` -> ${path()}::text` : ` ${operator} ${path()}::text[]`;
    }
    return sql;
  };
  switch (type) {
    case 'json':
      return `(${parts('#>')})`;
    case 'string':
      return `(${parts('#>>')})`;
    case 'decimal':
      return `CASE jsonb_typeof(${parts('#>')}) WHEN 'number' THEN (${parts('#>>')})::numeric END`;
    case 'boolean':
      return `CASE jsonb_typeof(${parts('#>')}) WHEN 'boolean' THEN (${parts('#>>')})::bool END`;
  }
};
