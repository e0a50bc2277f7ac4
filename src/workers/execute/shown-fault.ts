/** Errors without the names of columns that a view hides. */
import { type Catalog, catalogUnderView, propertyOfColumn } from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import { StepFault } from '../problems.js';

/**
 * The error as it may be answered: a column that the database lacks is named only if all these views show a property that is
 * stored in a column of that name.
 */
export function shownFault(catalog: Catalog, views: readonly string[], error: unknown): unknown {
  if (error instanceof StepFault) {
    return new StepFault(error.step, shownFault(catalog, views, error.cause));
  }
  if (!(error instanceof SourceError) || error.missing === undefined) return error;
  const { missing } = error;
  const isShown = views.every((view) => showsColumn(catalogUnderView(catalog, view), missing));
  return isShown ? error : error.with({ missing: undefined, detail: undefined });
}

function showsColumn(visible: Catalog, column: string): boolean {
  const { schema, unrestricted } = visible;
  if (visible === unrestricted) return true;
  return schema.sources.some(({ name, mapping }) => {
    const entities = schema.mappings.find((each) => each.name === mapping)?.entities ?? [];
    return entities.some((entity) => {
      return propertyOfColumn(schema, name, entity, column) !== undefined;
    });
  });
}
