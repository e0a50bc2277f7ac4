/** The row that a write goes to: an entity that may be written, where the stage writes it. */
import type { WriteAction } from '../../compiled-write.js';
import { EngineError, type Span } from '../../errors.js';
import type { RowSource } from '../logical.js';
import { rowOfEntity } from '../rows.js';
import type { BindContext } from '../scope.js';

/** Throws `unknown-entity`, and `unsupported` for a view or where the stage writes nowhere. */
export function writtenRow(
  context: BindContext,
  name: string,
  span: Span,
  action: WriteAction,
): RowSource {
  const row = rowOfEntity({ ...context, action }, name, span);
  if (row.entity.view) {
    throw new EngineError('unsupported', `Entity '${name}' is only read, never written.`, { span });
  }
  return row;
}
