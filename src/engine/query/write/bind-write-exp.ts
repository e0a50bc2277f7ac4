/**
 * Binds `writeExp`, the expression of the schema that the database stores in place of a written value.
 */
import { EngineError } from '../../errors.js';
import type { Property } from '../../schema/model.js';
import { bindOverRow } from '../bind-over-row.js';
import type { RowSource } from '../logical.js';
import { fitting } from '../read-column.js';
import type { BindContext } from '../scope.js';
import { invalidExpression } from '../schema-expression.js';
import type { BoundWriteExp } from './bound-write.js';

/** The expression, bound to the written row. Throws `schema-invalid`. */
export function bindWriteExp(
  context: BindContext,
  row: RowSource,
  property: Property,
): BoundWriteExp {
  const { name, writeExp: text = '' } = property;
  try {
    const value = fitting(bindOverRow({ ...context, layer: 'stored' }, row, text), property);
    return { row, property: name, text, value };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw invalidWriteExp({ row, property: name, text }, error);
  }
}

/** The error for a `writeExp` that cannot be rendered as SQL. */
export function invalidWriteExp(
  { row, property, text }: Omit<BoundWriteExp, 'value'>,
  cause: EngineError,
): EngineError {
  const what = `writeExp of property '${property}' of entity '${row.entity.name}'`;
  return invalidExpression(what, text, cause);
}
