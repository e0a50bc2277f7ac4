/** Determines the grouping keys of a query, and checks that nothing else is read outside aggregates. */
import { EngineError } from '../errors.js';
import { rejectOpaque } from './bind-operators.js';
import type { Clauses } from './clauses.js';
import type { Relation } from '../schema/model.js';
import type { Bound, BoundOutput, BoundSelect, RowSource } from './logical.js';
import { requiredColumn } from './rows.js';
import { partsOf, sameBound, somePart } from './same-bound.js';
import type { Scope } from './scope.js';

/** Whether the expression contains an aggregate over groups. */
export function hasAggregate(bound: Bound): boolean {
  return somePart(bound, ({ kind }) => kind === 'aggregate');
}

function groupKeysOf(outputs: readonly BoundOutput[]): readonly Bound[] {
  return outputs.map(({ value }) => value).filter((value) => !hasAggregate(value));
}

/** The scope of the sort and the condition of groups that have these outputs. */
export function scopeOfGroups(scope: Scope, outputs: readonly BoundOutput[]): Scope {
  return { ...scope, context: { ...scope.context, groupKeys: groupKeysOf(outputs) } };
}

/**
 * Throws `wrong-arguments` for clauses that cannot be combined with groups, counts or distinct rows.
 */
export function checkGroups(select: BoundSelect, clauses: Clauses): void {
  const counted = clauses.one('count');
  if (counted && counted.arguments.length > 0) {
    const message = "Clause 'count' takes no arguments. To count values, use count(…) in a map.";
    const hint = "For some of the rows, write '.filter(p=>p.price>50).count()'.";
    throw new EngineError('wrong-arguments', message, { span: counted.nameSpan, hint });
  }
  const map = clauses.one('map') ?? clauses.one('distinct');
  const grouping = map ?? clauses.one('first') ?? clauses.one('last');
  const summarised = counted ?? (select.grouped ? grouping : undefined);
  if (summarised && select.includes.length > 0) {
    const message = `Relations cannot be included when '${summarised.name}' counts or groups the rows.`;
    throw new EngineError('wrong-arguments', message, { span: summarised.nameSpan });
  }
  if (!select.grouped) return checkDistinct(select, clauses);
  const keys = groupKeysOf(select.outputs);
  rejectOpaque(keys, 'Rows cannot be grouped by');
  const read = [
    ...select.outputs.map(({ value }) => value),
    ...select.sort.map(({ value }) => value),
  ];
  for (const bound of select.having ? [...read, select.having] : read) checkReads(bound, keys);
}

/** Throws if `bound` reads a column that is neither aggregated nor a grouping key. */
function checkReads(bound: Bound, keys: readonly Bound[]): void {
  if (bound.kind === 'aggregate' || keys.some((key) => sameBound(key, bound))) return;
  if (bound.kind === 'column' || bound.kind === 'subselect') {
    const what = bound.kind === 'column' ? `'${bound.property}'` : 'A relation';
    const message = `${what} is neither aggregated nor a grouping key of the map.`;
    throw new EngineError('wrong-arguments', message, { span: bound.span });
  }
  for (const part of partsOf(bound)) checkReads(part, keys);
}

/** Throws if distinct rows are sorted by anything but their own columns, or include rows that these do not determine. */
function checkDistinct(select: BoundSelect, clauses: Clauses): void {
  const { row, distinct, sort, outputs, includes } = select;
  if (!distinct) return;
  const values = outputs.map(({ value }) => value);
  rejectOpaque(values, 'Rows cannot be made distinct by');
  const { primaryKey } = row.entity;
  const isWhole = primaryKey.length > 0 && missingIn(values, row, primaryKey).length === 0;
  for (const { relation } of isWhole ? [] : includes) {
    const missing = missingIn(values, row, relation.from);
    if (missing.length > 0) throw undetermined(row, relation, missing, clauses);
  }
  const other = sort.find(({ output }) => output === undefined);
  if (!other || !clauses.one('sort')) return;
  const message = 'Distinct rows can be sorted only by their own columns.';
  throw new EngineError('wrong-arguments', message, { span: other.value.span });
}

/** Those of the properties whose columns are not among the values. */
function missingIn(
  values: readonly Bound[],
  row: RowSource,
  names: readonly string[],
): readonly string[] {
  return names.filter((name) => {
    const column = requiredColumn(row, name);
    return !values.some((value) => sameBound(value, column));
  });
}

function undetermined(
  { entity }: RowSource,
  { name }: Relation,
  missing: readonly string[],
  clauses: Clauses,
): EngineError {
  const message = `Distinct rows can include relation '${name}' only if they contain the properties that it starts from.`;
  const isKnown = missing.every((each) => entity.properties.some((known) => known.name === each));
  const names = missing.map((each) => `'${each}'`).join(' and ');
  const hint = isKnown ? `Add ${names} to the columns of distinct, or use map.` : undefined;
  return new EngineError('wrong-arguments', message, {
    span: clauses.one('distinct')?.nameSpan,
    hint,
  });
}
