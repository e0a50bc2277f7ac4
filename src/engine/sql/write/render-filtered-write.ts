/** Renders an UPDATE or DELETE of filtered rows, and of the rows that refer to them. */
import type { Argument } from '../../compiled-query.js';
import type { AssignedField, FilteredWrite } from '../../compiled-write.js';
import { parametersOfSlots } from '../../query/parameters.js';
import type { RowSource } from '../../query/logical.js';
import { requiredColumn } from '../../query/rows.js';
import { equalityKey } from '../batch-key.js';
import { overArguments } from '../derived-table.js';
import { isList } from '../request-arguments.js';
import type { BoundAssignment, BoundFilteredWrite } from '../../query/write/bound-write.js';
import { renderColumn, renderTable, type RenderContext } from '../render-expression.js';
import { renderLink } from '../render-link.js';
import { parametersOf } from '../render-statements.js';
import { argumentOf } from './assigned-argument.js';
import { renderAssignment } from './render-assignment.js';
import { renderField } from './render-field.js';
import { filterConditionOfWrite, lockingSelect, type WrittenLevel } from './filter-condition.js';
import { checkName, checkSql } from './predicate-sql.js';
import { renderDelete } from './render-delete.js';
import {
  type FilteredWriteOptions,
  contextOf,
  type RenderedFilteredWrite,
} from './rendered-filtered-write.js';
import { needsOldRows, updateFromOldRows } from './update-from-old-rows.js';
import type { WriteDialect } from '../../dialects/write-dialect.js';
import { EngineError } from '../../errors.js';

/** Renders the statement. `parents` are the writes that lead to its rows, starting with the root. */
export function renderFilteredWrite(
  bound: BoundFilteredWrite,
  parents: readonly WrittenLevel[],
  options: FilteredWriteOptions,
): RenderedFilteredWrite {
  if (bound.action === 'delete') return renderDelete(bound, parents, options);
  const { aliases, returned, isHidden } = options;
  const { row, assignments } = bound;
  const context = contextOf(bound, options);
  const { dialect } = context;
  const own = dialect.writes;
  requireFound(bound, own);
  const text = needsOldRows(dialect, bound)
    ? updateFromOldRows(context, bound, parents)
    : updateOf(context, bound, parents);
  const columns = returned.map(
    (name) => `${renderLink(context, requiredColumn(row, name))} AS ${dialect.quoteAlias(name)}`,
  );
  const checks = bound.checks.map(
    ({ condition }, index) =>
      `${checkSql({ aliases, isHidden }, row, condition)} AS ${dialect.quoteAlias(checkName(index))}`,
  );
  const outputs = [...columns, ...checks];
  const returning =
    own.returnsUpdated && outputs.length > 0 ? ` RETURNING ${outputs.join(', ')}` : '';
  const isAssigned = (name: string) => assignments.some(({ field }) => field.property === name);
  const isReread = !own.returnsUpdated && (checks.length > 0 || returned.some(isAssigned));
  const keys = isReread ? row.location.entity.primaryKey : [];
  const selected = [...returned, ...keys];
  const before =
    own.returnsUpdated || selected.length === 0
      ? undefined
      : selectBefore(contextOf(bound, options), bound, parents, selected);
  const assigned = assignments.flatMap((each) => assignedField(row, each));
  const merged = outputs.length === 0 ? mergedUpdate(context, bound, parents) : undefined;
  return {
    text: text + returning,
    ...(before && { before }),
    ...(keys.length > 0 && { after: selectAfter(context, row, outputs) }),
    ...(merged && { merged }),
    arguments: context.arguments,
    parameters: parametersOf([...context.arguments, ...assigned.flatMap(parametersOfAssigned)]),
    assigned,
  };
}

function updateOf(
  context: RenderContext,
  bound: BoundFilteredWrite,
  parents: readonly WrittenLevel[],
): string {
  const head = updateHead(context, bound);
  const where = filterConditionOfWrite(context, bound, parents);
  return where === undefined ? head : `${head} WHERE ${where}`;
}

function updateHead(context: RenderContext, { row, assignments }: BoundFilteredWrite): string {
  const set = assignments.map((each) => {
    const { column, sql } = renderAssignment(context, row, each);
    return `${column} = ${sql}`;
  });
  return `UPDATE ${renderTable(context, row)} ${context.aliases(row)} SET ${set.join(', ')}`;
}

/**
 * The statement that merges the updates of several requests; undefined unless rows are found by an
 * integer primary key, so that requests with different keys write different rows.
 */
function mergedUpdate(
  { dialect, aliases, arguments: given }: RenderContext,
  bound: BoundFilteredWrite,
  parents: readonly WrittenLevel[],
): FilteredWrite['merged'] {
  const { row, filtered, filter } = bound;
  const { primaryKey } = row.location.entity;
  const key = row === filtered && row.joins.size === 0 ? equalityKey(filter) : undefined;
  const isWhole = primaryKey.length === 1 && primaryKey[0] === key?.column.property;
  if (!key || !isWhole || key.column.row !== row || key.column.type !== 'integer') return undefined;
  if (!dialect.hasLateral || parents.length > 0 || given.some(isList)) return undefined;
  const statement = overArguments(dialect, given, (placeholderOverride) => {
    const context: RenderContext = { dialect, aliases, arguments: [], placeholderOverride };
    const head = updateHead(context, bound);
    const where = filterConditionOfWrite(context, bound, parents) ?? 'true';
    return { head, tail: ` WHERE ${where} RETURNING batch.ord` };
  });
  return { ...statement, parameter: key.path.join('.') };
}

/** Throws `unsupported` if checks must read the updated rows, and nothing identifies them. */
function requireFound({ row, checks, nameSpan }: BoundFilteredWrite, own: WriteDialect): void {
  const { entity, location } = row;
  const isFound = own.returnsUpdated || location.entity.primaryKey.length > 0;
  if (checks.length === 0 || isFound) return;
  const message = `On ${location.source.dialect}, an update of entity '${entity.name}' needs a primary key, because a view or a filter of the mapping hides some of its rows.`;
  throw new EngineError('unsupported', message, { span: nameSpan });
}

/** The SELECT of what was stored. It finds the rows by their whole key, even if a view hides parts of it. */
function selectAfter(
  context: RenderContext,
  row: RowSource,
  outputs: readonly string[],
): NonNullable<FilteredWrite['after']> {
  const keys = row.location.entity.primaryKey.map((name) => requiredColumn(row, name));
  const columns = keys.map((key) => renderColumn(context, key)).join(', ');
  const from = `${renderTable(context, row)} ${context.aliases(row)}`;
  return {
    head: `SELECT ${outputs.join(', ')} FROM ${from} WHERE (${columns}) IN `,
    types: keys.map(({ type }) => type),
  };
}

/** A SELECT that locks the rows and returns the values that they will have after the update. */
function selectBefore(
  context: RenderContext,
  bound: BoundFilteredWrite,
  parents: readonly WrittenLevel[],
  returned: readonly string[],
): FilteredWrite['before'] {
  const { row, assignments } = bound;
  const columns = returned.map((name) => {
    const assigned = assignments.find(({ field }) => field.property === name);
    return assigned
      ? renderAssignment(context, row, assigned).sql
      : renderLink(context, requiredColumn(row, name));
  });
  const text = lockingSelect(context, bound, parents, columns);
  return { text, arguments: context.arguments };
}

function assignedField(
  row: RowSource,
  { field: bound, value, evaluated }: BoundAssignment,
): AssignedField[] {
  const field = renderField(row, bound);
  const argument = argumentOf(value);
  if (argument) return [{ field, value: argument }];
  if (!evaluated) return [];
  const parameters = parametersOfSlots(evaluated.slots);
  return [{ field, value: { kind: 'computed', expression: evaluated.expression, parameters } }];
}

/** The inputs of values that Rowgate computes, which are not arguments of the statement. */
function parametersOfAssigned({ field, value }: AssignedField): Argument[] {
  if (!field.writeValue) return [];
  if (value.kind === 'parameter') return [value];
  if (value.kind !== 'computed') return [];
  return value.parameters.map(({ name, type }) => ({
    kind: 'parameter',
    path: name.split('.'),
    type,
  }));
}
