/** Paths into JSON on MySQL and MariaDB. */
import type { JsonStep } from '../../query/logical.js';
import type { ExpressionDialect } from '../expression-dialect.js';

/** A path in the syntax of the manual (MySQL 8, 13.5, "JSON path syntax"). */
export function jsonPath(steps: readonly JsonStep[]): string {
  return `$${steps.map(stepText).join('')}`;
}

function stepText({ name, isIndex }: JsonStep): string {
  return isIndex ? `[${name}]` : `."${name.replaceAll(/["\\]/g, '\\$&')}"`;
}

const numbers = "'INTEGER', 'DOUBLE', 'DECIMAL', 'UNSIGNED INTEGER'";

/**
 * The value at a path, as JSON or as a scalar. A value of another type is null, and so is a null of
 * JSON.
 */
export const jsonPart: ExpressionDialect['jsonPart'] = (document, path, type) => {
  const part = () => `JSON_EXTRACT(${document()}, ${path()})`;
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
