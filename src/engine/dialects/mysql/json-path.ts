/** Paths into JSON on MySQL and MariaDB. */
import { EngineError } from '../../errors.js';
import type { ExpressionDialect } from '../expression-dialect.js';
import { isIndex } from '../json-steps.js';

/**
 * Paths in MySQL's syntax (MySQL 8 manual, 13.5, "JSON path syntax"). Before the last one, each pair leads to the
 * item of an array and to the member of an object with the same name; the next path starts with `$[0]`, which is
 * what the pair found. On a value that is not an array, `[0]` would return the value itself; `[*]` has no items
 * there.
 */
export function jsonPaths(steps: readonly string[]): readonly string[] {
  const paths: string[] = [];
  let path = '$';
  for (const step of steps) {
    const member = `${path}.${JSON.stringify(step)}`;
    if (isIndex(step)) {
      paths.push(`${path}[${step === '0' ? '*' : step}]`, member);
      path = '$[0]';
    } else {
      path = member;
    }
  }
  return [...paths, path];
}

/** MariaDB does not parse a path with a name that begins with a hyphen (10.11). Throws `unsupported`. */
export function mariadbJsonPaths(steps: readonly string[]): readonly string[] {
  const name = steps.find((step) => step.startsWith('-'));
  if (name === undefined) return jsonPaths(steps);
  const message = `MariaDB cannot read '${name}' of JSON, because the name begins with a hyphen.`;
  throw new EngineError('unsupported', message);
}

const numbers = "'INTEGER', 'DOUBLE', 'DECIMAL', 'UNSIGNED INTEGER'";

/** The value at a path, as JSON or as a scalar; null if it is of another type or, as a scalar, JSON null. */
export const jsonPart: ExpressionDialect['jsonPart'] = (document, paths, type) => {
  const part = () => {
    let sql = document();
    for (const [index, path] of paths.entries()) {
      const isFirst = index % 2 === 0 && index < paths.length - 1;
      sql = isFirst ? `${sql}, ${path()}` : `JSON_EXTRACT(${sql}, ${path()})`;
    }
    return sql;
  };
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
