/**
 * Renders an UPDATE for MySQL, which assigns one column after the other, and whose values cannot read the table itself:
 * the new values are read and the rows locked in a derived table.
 */
import type { Dialect } from '../../dialects/dialect.js';
import type { Bound } from '../../query/logical.js';
import { requiredColumn } from '../../query/rows.js';
import { isGiven, someWithin } from '../../query/same-bound.js';
import type { BoundAssignment, BoundFilteredWrite } from '../../query/write/bound-write.js';
import { selectsFrom } from '../../query/write/reads-table.js';
import { type RenderContext, renderColumn, renderTable } from '../render-expression.js';
import { lockingSelect, requireKey, type WrittenLevel } from './filter-condition.js';
import { renderAssignment } from './render-assignment.js';

/** Whether a value reads the table, or a column that was assigned before, and the database would refuse or mistake that. */
export function needsOldRows({ writes }: Dialect, bound: BoundFilteredWrite): boolean {
  if (writes.readsWritten.includes('update')) return false;
  const { row, assignments } = bound;
  const assigned = new Set<string>();
  return assignments.some(({ field, value }) => {
    const isAssigned = (part: Bound) =>
      part.kind === 'column' && part.row === row && assigned.has(mappingOf(bound, part.property));
    const needs = someWithin(value, isAssigned) || selectsFrom(value, row.location.entity.mapping);
    assigned.add(field.mapping);
    return needs;
  });
}

function mappingOf({ row }: BoundFilteredWrite, property: string): string {
  return row.location.columns.get(property)?.mapping ?? '';
}

/** Renders the statement. Throws `unsupported` if nothing identifies the rows. */
export function updateFromOldRows(
  context: RenderContext,
  bound: BoundFilteredWrite,
  parents: readonly WrittenLevel[],
): string {
  const { row, assignments } = bound;
  const { primaryKey } = row.location.entity;
  if (primaryKey.length === 0) requireKey(context, bound, 'a value reads what another one changes');
  const keys = primaryKey.map((key) => renderColumn(context, requiredColumn(row, key)));
  const table = `${renderTable(context, row)} ${context.aliases(row)}`;
  const read = assignments.filter(isRead).map((each) => renderAssignment(context, row, each));
  const outputs = [
    ...keys.map((key, index) => `${key} AS k${index}`),
    ...read.map(({ sql }, index) => `${sql} AS v${index}`),
  ];
  const rows = lockingSelect(context, bound, parents, outputs);
  const given = assignments.filter((each) => !isRead(each));
  const set = [
    ...read.map(({ column }, index) => `${column} = rowgate_new.v${index}`),
    ...given
      .map((each) => renderAssignment(context, row, each))
      .map(({ column, sql }) => `${column} = ${sql}`),
  ];
  const on = keys.map((key, index) => `${key} = rowgate_new.k${index}`);
  const columns = set.map((each) => `${context.aliases(row)}.${each}`);
  return `UPDATE ${table} JOIN (${rows}) AS rowgate_new ON ${on.join(' AND ')} SET ${columns.join(', ')}`;
}

function isRead({ field, value }: BoundAssignment): boolean {
  return field.writeValue === undefined && !isGiven(value);
}
