/** Paths into JSON on MySQL and MariaDB. */
import type { JsonStep } from '../../query/logical.js';
import type { ExpressionDialect } from '../expression-dialect.js';

/**
 * Paths in MySQL's syntax (MySQL 8 manual, 13.5, "JSON path syntax"). On a value that is not an array,
 * `[0]` would return the value itself. The first item is therefore `$[0]` of the items, `[*]`: such a
 * value has no items, so the result is null.
 */
export function jsonPaths(steps: readonly JsonStep[]): readonly string[] {
  const paths = ['$'];
  for (const step of steps) {
    const isFirst = step.isIndex && Number(step.name) === 0;
    paths.push(`${paths.pop()}${isFirst ? '[*]' : stepText(step)}`);
    if (isFirst) paths.push('$[0]');
  }
  return paths;
}

function stepText({ name, isIndex }: JsonStep): string {
  return isIndex ? `[${name}]` : `."${name.replaceAll(/["\\]/g, '\\$&')}"`;
}

const numbers = "'INTEGER', 'DOUBLE', 'DECIMAL', 'UNSIGNED INTEGER'";

/** The value at a path, as JSON or as a scalar; null if it is of another type or, as a scalar, JSON null. */
export const jsonPart: ExpressionDialect['jsonPart'] = (document, paths, type) => {
  const part = () => paths.reduce((sql, path) => `JSON_EXTRACT(${sql}, ${path()})`, document());
  const text = () => `JSON_UNQUOTE(${part()})`;
  switch (type) {
    case 'json':
      return part();
    case 'string':
      return `CASE WHEN JSON_TYPE(${part()}) <> 'NULL' THEN ${text()} END`;
    case 'decimal':
      return `CASE WHEN JSON_TYPE(${part()}) IN (${numbers}) THEN CAST(${text()} AS DECIMAL(65,30)) END`;
    case 'boolean':
      return `CASE WHEN JSON_TYPE(${part()}) = 'BOOLEAN' THEN ${text()} = 'true' END`;
  }
};
