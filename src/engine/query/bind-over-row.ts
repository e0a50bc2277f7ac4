/** Binds expressions of the schema over one row. */
import { EngineError } from '../errors.js';
import { bindExpression } from './bind-expression.js';
import type { Bound, RowSource } from './logical.js';
import { parseOverRow } from './schema-expression.js';
import { type BindContext, innerScope, outermostScope } from './scope.js';

/**
 * Binds an expression, which may aggregate only relations. Throws `schema-invalid` if it uses a name that is no
 * property: a client could give it a value.
 */
export function bindOverRow(context: BindContext, row: RowSource, text: string): Bound {
  const { unrestricted } = context.catalog;
  const { parameter, body } = parseOverRow(unrestricted, row.entity.properties, text);
  const own: BindContext = { ...context, parameters: new Map(), nullParameters: new Set() };
  const aggregates = { refused: 'An aggregate over groups is not allowed here.' };
  const scope = innerScope(outermostScope(own), parameter, row, { aggregates });
  const value = bindExpression(scope, body);
  if (own.parameters.size === 0) return value;
  const names = [...own.parameters.keys()].join();
  throw new EngineError('schema-invalid', `It uses '${names}', which is not a property.`);
}
