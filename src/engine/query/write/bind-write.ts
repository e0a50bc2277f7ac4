/** Binds queries that write: decides how their rows are found, and has them bound accordingly. */
import type { QuerySyntax } from '../../language/ast.js';
import type { BindContext } from '../scope.js';
import { bindFilteredWrite } from './bind-filtered-write.js';
import { bindRows } from './bind-rows.js';
import type { BoundWrite } from './bound-write.js';
import { isOfRow } from './entry-value.js';
import { readArgument, type WriteArgument } from './read-argument.js';
import { sortWrittenClauses } from './write-clauses.js';
import { writtenRow } from './bind-written-includes.js';

/**
 * Binds a query that writes; undefined for one that reads. `present`: the properties in the data, if a
 * filtered update assigns only those.
 */
export function bindWrite(
  given: BindContext,
  query: QuerySyntax,
  present: readonly string[] | undefined,
): BoundWrite | undefined {
  const clauses = sortWrittenClauses(query.clauses);
  if (!clauses) return undefined;
  const { clause, write, filters, includeClauses } = clauses;
  const { action } = write;
  // A filter reads other entities from the source to which the rows are written.
  const context = { ...given, action };
  const row = writtenRow(context, query.entity, query.entitySpan, action);
  const offset = query.clauses.at(-1)?.open ?? 0;
  const argument = readArgument(clause);
  const isFiltered = filters.length > 0 || write.rows === 'all' || readsRow(argument);
  if (action === 'delete' || (action === 'update' && isFiltered)) {
    return bindFilteredWrite(context, { row, action, argument, clauses, offset, present });
  }
  return bindRows(context, {
    row,
    action,
    argument,
    shape: action === 'update' ? 'either' : write.rows === 'many' ? 'many' : 'one',
    link: undefined,
    includeClauses,
    offset,
    depth: 0,
    span: clause.nameSpan,
  });
}

/** Whether a value is computed from the stored row, as in `p=>({price: p.price*2})`. */
function readsRow(argument: WriteArgument): boolean {
  return argument.kind === 'entries' && argument.entries.some(isOfRow);
}
