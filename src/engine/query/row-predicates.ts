/**
 * The predicates that make a row of a table a visible row of an entity: the mapping's filter and the
 * view's. They read related rows by sub-selects, so that they work wherever the row is used.
 */
import { EngineError } from '../errors.js';
import { bindOverRow } from './bind-over-row.js';
import { requireType } from './bind-operators.js';
import type { Bound, RowSource } from './logical.js';
import type { BindContext, ReadLayer } from './scope.js';

/** The predicates of a row, bound to it. Throws `schema-invalid`. */
export function rowPredicates(context: BindContext, row: RowSource): readonly Bound[] {
  const { filter } = row.location.entity;
  const viewFilter = context.catalog.rowFilter(row.entity.name);
  return [
    ...(filter === undefined ? [] : [bindPredicate(context, row, filter, 'stored')]),
    ...(viewFilter === undefined ? [] : [bindPredicate(context, row, viewFilter, 'domain')]),
  ];
}

/** How deeply predicates may nest: each may read a row that has predicates itself. */
const DEPTH_MAX = 8;

function bindPredicate(
  context: BindContext,
  row: RowSource,
  text: string,
  layer: ReadLayer,
): Bound {
  const depth = (context.predicateDepth ?? 0) + 1;
  try {
    if (depth > DEPTH_MAX)
      throw new EngineError('schema-invalid', 'The filters depend on each other.');
    const catalog = context.catalog.unrestricted;
    const inner = { ...context, catalog, layer, predicateDepth: depth };
    const predicate = bindOverRow(inner, row, text);
    requireType(predicate, 'boolean', 'A filter');
    return predicate;
  } catch (error) {
    throw error instanceof EngineError ? unreadable(row, error) : error;
  }
}

/** An error that hides the reason from the client, because the filter may name hidden properties. */
function unreadable({ entity }: RowSource, cause: EngineError): EngineError {
  const message = `The row filter of entity '${entity.name}' is invalid.`;
  const error = new EngineError('schema-invalid', message);
  error.cause = cause;
  return error;
}
