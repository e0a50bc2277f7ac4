/**
 * Binds `writeExp`, the expression of the schema that the database stores in place of a written value.
 */
import type { Property } from '../../schema/model.js';
import { bindOverRow } from '../bind-over-row.js';
import type { RowSource } from '../logical.js';
import { fitting } from '../read-column.js';
import type { BindContext } from '../scope.js';
import { orInvalid } from '../schema-expression.js';
import type { BoundWriteExp } from './bound-write.js';

/** The expression, bound to the written row. Throws `schema-invalid`. */
export function bindWriteExp(
  context: BindContext,
  row: RowSource,
  property: Property,
): BoundWriteExp {
  const { name, writeExp: text = '' } = property;
  const value = orInvalidWriteExp({ row, property: name, text }, () =>
    fitting(bindOverRow({ ...context, layer: 'stored' }, row, text), property),
  );
  return { row, property: name, text, value };
}

/** The result of binding or rendering a `writeExp`. Throws `schema-invalid`. */
export function orInvalidWriteExp<Result>(
  { row, property, text }: Omit<BoundWriteExp, 'value'>,
  make: () => Result,
): Result {
  return orInvalid(`writeExp of property '${property}' of entity '${row.entity.name}'`, text, make);
}
