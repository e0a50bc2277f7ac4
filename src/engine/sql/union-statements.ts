/**
 * Renders statements for several requests for databases without LATERAL: a UNION ALL with one part for
 * each request, or a join with their keys. Values are compared as in a single request, by the types and
 * collations of the columns.
 */
import type { Argument, JoinedKeysStatement, UnionStatement } from '../compiled-query.js';
import { invariant } from '../errors.js';
import { typeOf } from '../query/bind-operators.js';
import type { BoundColumn, BoundSelect } from '../query/logical.js';
import { createAliases } from './aliases.js';
import type { Dialect } from '../dialects/dialect.js';
import { isOfRequest } from './request-arguments.js';
import type { FoundKey } from './batch-key.js';
import { type Output, outputsOf } from './outputs.js';
import { renderColumn, renderTable, renderValue, type RenderContext } from './render-expression.js';
import { renderSelect } from './render-select.js';

/** Marks where the text is split. It cannot occur in names or values. */
const CUT = '\u0000';
/** Longer statements are not repeated. */
const LENGTH_MAX = 8192;
/**
 * MySQL ignores the ORDER BY in a part of a UNION unless it has a LIMIT (manual, "UNION"). This limit
 * does not exclude any rows.
 */
const ALL_ROWS = ' LIMIT 18446744073709551615';

/**
 * The UNION ALL for a query; undefined if a column would have another type than for a single request.
 */
export function unionStatement(select: BoundSelect, dialect: Dialect): UnionStatement | undefined {
  const context = contextOf(select, dialect);
  const outputs = outputsOf(select, undefined);
  if (!outputs.every((each) => isOfOneType(each, context))) return undefined;
  const text = renderSelect(context, { select, outputs, isUnited: true, ordinal: CUT });
  if (text.length > LENGTH_MAX) return undefined;
  const isSorted = select.sort.length > 0 && !select.limit && !select.counted;
  const [before, after] = cut(text);
  const pieces = [before, isSorted ? after + ALL_ROWS : after] as const;
  return { pieces, arguments: context.arguments };
}

/**
 * Whether a column has the same type for all requests. Numbers of different requests may differ in
 * their digits.
 */
function isOfOneType({ value }: Output, { dialect, aliases }: RenderContext): boolean {
  if (typeOf(value) === 'string') return true;
  const given: Argument[] = [];
  renderValue({ dialect, aliases, arguments: given }, value);
  return !given.some(isOfRequest);
}

/**
 * The join with the keys; undefined unless the key is a string and the only difference between
 * requests.
 */
export function joinedKeysStatement(
  select: BoundSelect,
  { column, path, rest }: FoundKey,
  dialect: Dialect,
): JoinedKeysStatement | undefined {
  if (column.type !== 'string' || column.row !== select.row) return undefined;
  const context = contextOf(select, dialect);
  let countBefore = 0;
  const parts = {
    select: { ...select, filter: rest },
    outputs: outputsOf(select, undefined),
    ordinal: 'batch.__ord',
    joinedTo: {
      table: () => {
        countBefore = context.arguments.length;
        return `(${columnOnly(context, column)}${CUT}) AS batch`;
      },
      on: `${renderColumn(context, column)} = batch.__k`,
    },
  };
  const text = renderSelect(context, parts);
  if (context.arguments.some(isOfRequest)) return undefined;
  const key = { kind: 'parameter', path, type: column.type } as const;
  const before = context.arguments.slice(0, countBefore);
  return { pieces: cut(text), key, before, after: context.arguments.slice(countBefore) };
}

/**
 * A SELECT without rows, which gives the keys that follow in the UNION the type and collation of the
 * column. No column of a query has these names, which an expression of ORDER BY would read in place of it.
 */
function columnOnly(context: RenderContext, { column, row }: BoundColumn): string {
  const name = context.dialect.quoteName(column);
  return `SELECT ${name} AS __k, 0 AS __ord FROM ${renderTable(context, row)} WHERE FALSE`;
}

/** A new context, in which the row of the select has the first alias. */
export function contextOf(select: BoundSelect, dialect: Dialect): RenderContext {
  const context: RenderContext = { dialect, aliases: createAliases(), arguments: [] };
  context.aliases(select.row);
  return context;
}

function cut(text: string): readonly [string, string] {
  const [before, after, more] = text.split(CUT);
  invariant(before !== undefined && after !== undefined && more === undefined, 'one cut');
  return [before, after];
}
