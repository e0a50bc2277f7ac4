/**
 * Statements for several requests where a database has no LATERAL: a UNION ALL of the statements of each,
 * or a table joined with their keys. Whatever compares does so as it does for one request alone: by the
 * types and collations of the columns.
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

/** Where the text is cut; it is in no name and no value. */
const CUT = '\u0000';
/** Longer statements are not repeated. */
const LENGTH_MAX = 8192;
/** A sort in a part of a UNION is heeded only beside a LIMIT: this one is none (manual, "UNION"). */
const ALL_ROWS = ' LIMIT 18446744073709551615';

/** Undefined where a column of the answer would not have the type that it has for one request. */
export function unionStatement(select: BoundSelect, dialect: Dialect): UnionStatement | undefined {
  const context = contextOf(select, dialect);
  const outputs = outputsOf(select, undefined);
  if (!outputs.every((each) => isOfOneType(each, context))) return undefined;
  const parts = {
    ...{ select, outputs, parentKey: undefined, many: true },
    ...{ isUnited: true, ordinal: CUT },
  };
  const text = renderSelect(context, parts);
  if (text.length > LENGTH_MAX) return undefined;
  const isSorted = select.sort.length > 0 && !select.limit && !select.counted;
  const [before, after] = cut(text);
  const pieces = [before, isSorted ? after + ALL_ROWS : after] as const;
  return { pieces, arguments: context.arguments };
}

/** Numbers of a request have the digits that they have; the type of a text says nothing of it. */
function isOfOneType({ value }: Output, { dialect, aliases }: RenderContext): boolean {
  if (typeOf(value) === 'string') return true;
  const given: Argument[] = [];
  renderValue({ dialect, aliases, arguments: given }, value);
  return !given.some(isOfRequest);
}

/** Undefined where the key is no text, or is not all that a request is told apart by. */
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
    parentKey: undefined,
    many: true,
    ordinal: 'batch.ord',
    joinedTo: {
      table: () => {
        countBefore = context.arguments.length;
        return `(${columnOnly(context, column)}${CUT}) AS batch`;
      },
      on: `${renderColumn(context, column)} = batch.k`,
    },
  };
  const text = renderSelect(context, parts);
  if (context.arguments.some(isOfRequest)) return undefined;
  const key = { kind: 'parameter', path, type: column.type } as const;
  const before = context.arguments.slice(0, countBefore);
  return { pieces: cut(text), key, before, after: context.arguments.slice(countBefore) };
}

/** No row: it gives the keys that are united with it the type and the collation of the column. */
function columnOnly(context: RenderContext, { column, row }: BoundColumn): string {
  const name = context.dialect.quoteName(column);
  return `SELECT ${name} AS k, 0 AS ord FROM ${renderTable(context, row)} WHERE FALSE`;
}

function contextOf(select: BoundSelect, dialect: Dialect): RenderContext {
  const context: RenderContext = { dialect, aliases: createAliases(), arguments: [] };
  context.aliases.of(select.row);
  return context;
}

function cut(text: string): readonly [string, string] {
  const [before, after, more] = text.split(CUT);
  invariant(before !== undefined && after !== undefined && more === undefined, 'one cut');
  return [before, after];
}
