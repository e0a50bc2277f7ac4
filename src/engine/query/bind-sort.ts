/** Binds sort keys: expressions, aggregates of groups, or names that the map defines. */
import type { ClauseSyntax, Expression } from '../language/ast.js';
import { EngineError } from '../errors.js';
import { onlyArgument } from './bind-aggregate.js';
import { bindExpression } from './bind-expression.js';
import { lambdaOf } from './bind-lambda.js';
import { rejectOpaque, typeOf } from './bind-operators.js';
import type { Bound, BoundSelect, BoundSortKey, RowSource } from './logical.js';
import type { PropertyType } from '../schema/model.js';
import { allProperties } from './read-column.js';
import { requiredColumns } from './rows.js';
import { type BindContext, innerScope, type Scope } from './scope.js';
import { asScalar, isOpenPath } from './json-path.js';
import { partsOf, sameBound } from './same-bound.js';
import { mismatch } from './types.js';

/**
 * Binds `p=>p.x` or `p=>[asc(p.x), desc(p.y)]`; empty without a sort. Constants are omitted: they have
 * no effect, and SQL would read a number as the position of a column. Keys may use the names of `outputs`.
 */
export function bindSort(
  scope: Scope,
  row: RowSource,
  clause: ClauseSyntax | undefined,
  { outputs, grouped }: Pick<BoundSelect, 'outputs' | 'grouped'>,
): readonly BoundSortKey[] {
  if (!clause) return [];
  const lambda = lambdaOf(clause);
  const refused = { refused: 'A sort can contain an aggregate only if the map contains one.' };
  const aggregates = grouped ? 'allowed' : refused;
  const inner = innerScope(scope, lambda.parameter, row, { outputs, aggregates });
  const items = lambda.body.kind === 'list' ? lambda.body.items : [lambda.body];
  const values = items.flatMap((item) => {
    const { key, descending } = directionOf(item);
    const value = bindExpression(inner, key);
    if (value.kind === 'parameter' && !outputs.some((each) => sameBound(each.value, value))) {
      throw sortByParameter(key);
    }
    // Values of JSON sort by number first, then by string.
    const all = isOpenPath(value)
      ? [asScalar(value, 'decimal'), asScalar(value, 'string')]
      : [value];
    return all.map((each) => ({ value: each, key, descending }));
  });
  const keys = values.map(({ value, key, descending }) => {
    rejectOpaque([value], 'Rows cannot be sorted by');
    if (typeOf(value) === 'binary') {
      throw mismatch('Rows cannot be sorted by binary data.', key.span);
    }
    const output = outputs.find((each) => sameBound(each.value, value))?.name;
    return { value, output, descending };
  });
  return keys.filter(({ value }) => !isConstant(value));
}

function sortByParameter({ span }: Expression): EngineError {
  const message =
    'Rows cannot be sorted by a parameter, because it has the same value for all of them.';
  const hint = 'Name a property, as in sort(p=>p.name).';
  return new EngineError('wrong-arguments', message, { span, hint });
}

/** Whether the value is a constant in SQL, as `NOT TRUE`, `0 - 1` and a search in an empty list are. */
export function isConstant(value: Bound): boolean {
  if (value.kind === 'literal' || value.kind === 'null') return true;
  const parts = ['unary', 'binary', 'call'].includes(value.kind) ? partsOf(value) : [];
  const [, list] = parts;
  if (list?.kind === 'list' && list.items.length === 0) return true;
  return parts.length > 0 && parts.every(isConstant);
}

/** Sort keys for the primary key of a row, ascending. */
export function primaryKeySort(row: RowSource): readonly BoundSortKey[] {
  return ascending(requiredColumns(row, row.entity.primaryKey));
}

/**
 * The order of limited rows that have no sort: by the primary key. If the view hides that key, it is the
 * unique key or else every property, because the order of the database could be that of the hidden key.
 */
export function usualSort(context: BindContext, row: RowSource): readonly BoundSortKey[] {
  const { entity, location } = row;
  const isHidden = entity.primaryKey.length === 0 && location.entity.primaryKey.length > 0;
  if (!isHidden) return primaryKeySort(row);
  const { uniqueKey } = entity;
  const shown = allProperties(context, row).filter(({ value }) => isSortable(value));
  const unique = shown.filter(({ name }) => uniqueKey.includes(name));
  return ascending((unique.length > 0 ? unique : shown).map(({ value }) => value));
}

function ascending(values: readonly Bound[]): readonly BoundSortKey[] {
  return values.map((value) => ({ value, output: undefined, descending: false }));
}

function isSortable(value: Bound): boolean {
  const type = typeOf(value);
  return value.kind !== 'reading' && !isConstant(value) && type !== undefined && SORTABLE.has(type);
}

const SORTABLE: ReadonlySet<PropertyType> = new Set([
  ...(['string', 'integer', 'decimal', 'number', 'boolean'] as const),
  ...(['date', 'dateTime', 'time', 'uuid'] as const),
]);

export function reverseSort(keys: readonly BoundSortKey[]): readonly BoundSortKey[] {
  return keys.map((key) => ({ ...key, descending: !key.descending }));
}

function directionOf(item: Expression) {
  if (item.kind !== 'call' || !['asc', 'desc'].includes(item.name)) {
    return { key: item, descending: false };
  }
  return { key: onlyArgument(item, 'key'), descending: item.name === 'desc' };
}
