/**
 * Binds `writeExp`, the expression of the schema that the database stores in place of a written value.
 */
import { EngineError } from '../../errors.js';
import type { Property } from '../../schema/model.js';
import { bindOverRow } from '../bind-over-row.js';
import { typeOf } from '../bind-operators.js';
import type { RowSource } from '../logical.js';
import type { BindContext } from '../scope.js';
import { invalidExpression } from '../schema-expression.js';
import { areComparable, nameType } from '../types.js';
import type { BoundWriteExp } from './bound-write.js';

/** The expression, bound to the written row. Throws `schema-invalid`. */
export function bindWriteExp(
  context: BindContext,
  row: RowSource,
  { name, type, writeExp: text = '' }: Property,
): BoundWriteExp {
  try {
    const value = bindOverRow({ ...context, layer: 'stored' }, row, text);
    const found = typeOf(value);
    if (found !== undefined && !areComparable(type, found)) {
      const message = `It returns ${nameType(found)}, but the property is ${nameType(type)}.`;
      throw new EngineError('type-mismatch', message);
    }
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
