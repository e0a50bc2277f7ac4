/** Paths into JSON on PostgreSQL. */
import { invariant } from '../../errors.js';
import type { ExpressionDialect } from '../expression-dialect.js';

/** The value at a path, as JSON or as a scalar. A value of another type is null. */
export const jsonPart: ExpressionDialect['jsonPart'] = (document, [path], type) => {
  invariant(path, 'a path');
  const parts = (operator: string) => `${document()}::jsonb ${operator} ${path()}::text[]`;
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
