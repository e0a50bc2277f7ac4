/**
 * Which rows of a table are those of an entity: the filter of its mapping, and under a view the view's.
 * What they say of related rows is asked by sub-selects, so that they stand wherever the row does.
 */
import { EngineError } from '../errors.js';
import { bindExpression } from './bind-expression.js';
import { requireType } from './bind-operators.js';
import type { Bound, RowSource } from './logical.js';
import { parseOverRow } from './schema-expression.js';
import { type BindContext, innerScope, outermostScope, type ReadLayer } from './scope.js';

/** The conditions on a row, bound over it. Throws `schema-invalid`. */
export function rowPredicates(context: BindContext, row: RowSource): readonly Bound[] {
  const { filter } = row.location.entity;
  const viewFilter = context.catalog.rowFilter(row.entity.name);
  return [
    ...(filter === undefined ? [] : [bindPredicate(context, row, filter, 'stored')]),
    ...(viewFilter === undefined ? [] : [bindPredicate(context, row, viewFilter, 'domain')]),
  ];
}

/** How many conditions may stand in one another, each on a row that the one before it asks for. */
const DEPTH_MAX = 8;

function bindPredicate(
  context: BindContext,
  row: RowSource,
  text: string,
  layer: ReadLayer,
): Bound {
  const depth = (context.predicateDepth ?? 0) + 1;
  try {
    if (depth > DEPTH_MAX) throw new EngineError('schema-invalid', 'Filters ask for each other.');
    const { parameter, body } = parseOverRow(text);
    const inner: BindContext = {
      ...context,
      catalog: context.catalog.unrestricted,
      parameters: new Map(),
      nullParameters: new Set(),
      layer,
      predicateDepth: depth,
    };
    const aggregates = { refused: 'An aggregate of groups cannot stand here.' };
    const scope = innerScope(outermostScope(inner), parameter, row, { aggregates });
    const predicate = bindExpression(scope, body);
    requireType(predicate, 'boolean', 'A filter');
    if (inner.parameters.size === 0) return predicate;
    throw new EngineError(
      'schema-invalid',
      `It asks for '${[...inner.parameters.keys()].join()}'.`,
    );
  } catch (error) {
    throw error instanceof EngineError ? unreadable(row, error) : error;
  }
}

/** What is wrong with a filter is not told to who asks: it may name what is hidden. */
function unreadable({ entity }: RowSource, cause: EngineError): EngineError {
  const message = `The filter of the rows of entity '${entity.name}' cannot be read.`;
  const error = new EngineError('schema-invalid', message);
  error.cause = cause;
  return error;
}
