/** What a database says against imported rows, told in the names of the schema. */
import { type Catalog, catalogUnderView, type Schema } from '../../engine/index.js';
import { placedFault } from '../execute/write-fault.js';
import { SourceError } from '../database/source-error.js';
import type { ImportEntity } from './import-entity.js';

export interface FaultSettings {
  readonly schema: Schema;
  readonly catalog: Catalog;
  readonly view: string;
}

/**
 * The error to tell for one of a source: `entities` are those of it that have come, `entity` the one
 * whose rows were written, where that is known.
 */
export function importFault(
  error: unknown,
  { schema, catalog, view }: FaultSettings,
  entities: readonly ImportEntity[],
  entity = entities[0],
): unknown {
  if (!(error instanceof SourceError) || !entity) return error;
  const table = error.violation?.table;
  const named = [entity, ...entities].find(({ write }) => write.storedTable === table) ?? entity;
  const shown = catalogUnderView(catalog, view);
  return placedFault(error, { schema, shown, root: named.sentence, rows: [] });
}
