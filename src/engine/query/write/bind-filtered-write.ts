/** Writes of rows that are chosen in the database: by filters, by the key in the data, or all. */
import type { KeyedBy } from '../../compiled-write.js';
import { EngineError, type Span } from '../../errors.js';
import type { LambdaExpression } from '../../language/ast.js';
import type { Property } from '../../schema/model.js';
import { bindExpression } from '../bind-expression.js';
import { allOf, bindCondition, lambdaOf } from '../bind-lambda.js';
import type { Bound, RowSource } from '../logical.js';
import { narrowSlot, shapeSlot, slotOf } from '../parameters.js';
import { requiredColumn, sameRow } from '../rows.js';
import { type BindContext, innerScope, outermostScope } from '../scope.js';
import { entriesByName } from './bind-rows.js';
import { checksOf } from './bind-checks.js';
import { bindWrittenIncludes } from './bind-written-includes.js';
import type {
  BoundAssignment,
  BoundField,
  BoundFilteredWrite,
  BoundWriteInclude,
} from './bound-write.js';
import { conditionsOf, constraintsOf, fixedMessage } from './constraints.js';
import { assignable, isOfRow, slotsIn } from './entry-value.js';
import { checkEvaluable, isEvaluable } from './evaluable.js';
import { fieldsOf, fixedKeys, wholeOf } from './fields.js';
import { inferText } from './infer-text.js';
import { readsTable } from './reads-table.js';
import type { WriteArgument, WriteEntry } from './read-argument.js';
import type { WrittenClauses } from './write-clauses.js';

/** What is written of rows that are chosen. */
export interface FilteredWriteSyntax {
  readonly row: RowSource;
  readonly action: 'update' | 'delete';
  readonly argument: WriteArgument;
  readonly clauses: WrittenClauses;
  readonly offset: number;
  /** The properties that the data has, where those are written; undefined: all may be. */
  readonly present: readonly string[] | undefined;
}

/** Binds an update or delete of rows that are chosen, with all that it includes. */
export function bindFilteredWrite(
  context: BindContext,
  syntax: FilteredWriteSyntax,
): BoundFilteredWrite {
  const { action, argument, clauses, offset } = syntax;
  const filteredRows = bindFilter(context, syntax);
  const { row } = filteredRows;
  const assignments = action === 'delete' ? [] : bindAssignments(context, row, syntax);
  rejectPartial(assignments, clauses);
  const isPresent = action === 'update' && argument.kind === 'data';
  const isKeyed = clauses.filters.length === 0 && clauses.write.rows !== 'all';
  const properties = writable(row).map(({ name }) => name);
  const fields = assignments.map(({ field }) => field);
  const includes = bindWrittenIncludes(context, row, {
    action,
    clauses: clauses.includeClauses,
    depth: 0,
  });
  rejectReferred(includes, clauses);
  if (action === 'delete') rejectLost({ ...filteredRows, includes }, clauses);
  const checks = checksOf(context, row).filter(({ reads }) =>
    fields.some(({ property }) => reads.has(property)),
  );
  return {
    kind: 'filtered',
    action,
    ...filteredRows,
    assignments,
    base: argument.kind === 'data' ? argument.path : commonHead(assignments),
    presentIn: isPresent ? { path: argument.path, properties } : undefined,
    keyedBy: isKeyed ? keyedBy(row, argument) : undefined,
    offset,
    nameSpan: clauses.clause.nameSpan,
    constraints: action === 'delete' ? [] : constraintsOf(row.entity, fields),
    conditions: action === 'delete' ? [] : conditionsOf(wholeOf(context, row.entity), row.entity),
    includes,
    checks,
  };
}

type FilteredRows = Pick<BoundFilteredWrite, 'row' | 'filtered' | 'filter'>;

/**
 * A filter that joins other rows is bound to a row of its own, and the written one, which has no joins, is
 * found by its key. Without one, the joins stand in a sub-select.
 */
function bindFilter(
  context: BindContext,
  { row, clauses, argument }: FilteredWriteSyntax,
): FilteredRows {
  const { filters, write, clause } = clauses;
  if (write.rows === 'all') return { row, filtered: row, filter: undefined };
  if (filters.length === 0) {
    const keys = row.entity.primaryKey;
    if (keys.length === 0) {
      const message = `'${clause.name}' without a filter needs a primary key, which entity '${row.entity.name}' has not.`;
      throw new EngineError('wrong-arguments', message, { span: clause.nameSpan });
    }
    return { row, filtered: row, filter: keyFilter(context, row, basePath(argument)) };
  }
  const aggregates = { refused: 'An aggregate cannot stand in a filter: use having.' };
  const scope = outermostScope(context);
  const bind = (each: LambdaExpression) => bindCondition(scope, row, each, { aggregates });
  const filter = allOf(filters.map((each) => bind(lambdaOf(each))));
  const isFoundByKey = row.joins.size > 0 && row.entity.primaryKey.length > 0;
  const written = isFoundByKey ? sameRow(context, row) : row;
  return { row: written, filtered: row, filter };
}

/** `key == data's key` of each part of the primary key. */
function keyFilter(context: BindContext, row: RowSource, path: readonly string[]) {
  const span = { start: 0, end: 0 };
  const fixed = fixedKeys(row);
  return allOf(
    row.entity.primaryKey.map((name): Bound => {
      const left = requiredColumn(row, name);
      const key = fixed.get(name);
      if (key !== undefined)
        return {
          kind: 'binary',
          operator: '==',
          left,
          right: { kind: 'literal', text: key, type: left.type, span },
          type: 'boolean',
          span,
        };
      const right = parameterAt(context, [...path, name], left.type);
      return { kind: 'binary', operator: '==', left, right, type: 'boolean', span };
    }),
  );
}

/** The parts of the primary key by which the data names a row: all but those that are fixed. */
function keyedBy(row: RowSource, argument: WriteArgument): KeyedBy {
  const { name: entity, primaryKey } = row.entity;
  const all = fixedKeys(row);
  const fixed = [...all].map(([property, text]) => {
    return { property, text, message: fixedMessage(entity, property, text) };
  });
  return { path: basePath(argument), keys: primaryKey.filter((name) => !all.has(name)), fixed };
}

function parameterAt(context: BindContext, path: readonly string[], type: Property['type']): Bound {
  const span = { start: 0, end: 0 };
  const slot = slotOf(context.parameters, path);
  shapeSlot(slot, 'scalar', span);
  narrowSlot(slot, type, span);
  return { kind: 'parameter', slot, span };
}

function basePath(argument: WriteArgument): readonly string[] {
  return argument.kind === 'data' ? argument.path : [];
}

/** `entity` of `{name: entity.name}`, when every parameter that is set lies in it. */
function commonHead(assignments: readonly BoundAssignment[]): readonly string[] {
  const paths = assignments.flatMap(({ value }) =>
    value.kind === 'parameter' ? [value.slot.path] : [],
  );
  const [head] = paths[0] ?? [];
  const isNested = paths.every((path) => path.length > 1 && path[0] === head);
  return head !== undefined && isNested ? [head] : [];
}

/** The properties that an update by filter may take from the data: keys choose, and stay. */
function writable({ entity }: RowSource): readonly Property[] {
  return entity.properties.filter(
    ({ name, view, key }) => !view && key === undefined && !entity.primaryKey.includes(name),
  );
}

function bindAssignments(
  context: BindContext,
  row: RowSource,
  { argument, present }: FilteredWriteSyntax,
): BoundAssignment[] {
  const fields = new Map(
    fieldsOf(context, row, () => ({ kind: 'none' })).map((field) => [field.property, field]),
  );
  const assign = (property: Property, value: Bound): BoundAssignment[] => {
    const field = fields.get(property.name);
    return field ? [{ field, value }] : [];
  };
  if (argument.kind === 'data') {
    const written = writable(row).filter(({ name }) => present?.includes(name) ?? true);
    return written.flatMap((property) =>
      assign(property, parameterAt(context, [...argument.path, property.name], property.type)),
    );
  }
  const entries = entriesByName(row, argument.entries);
  return row.entity.properties.flatMap((property) => {
    const entry = entries.get(property.name);
    const field = fields.get(property.name);
    return entry && field ? [entryAssignment(context, row, entry, { property, field })] : [];
  });
}

interface AssignedProperty {
  readonly property: Property;
  readonly field: BoundField;
}

/** An expression reads the row as it was, and related ones by sub-selects: an UPDATE joins none. */
function entryAssignment(
  context: BindContext,
  row: RowSource,
  entry: WriteEntry,
  { property, field }: AssignedProperty,
): BoundAssignment {
  if (field.fixed !== undefined) throw keptValue(property, entry.span);
  const { variable, value: expression } = entry;
  const readsRow = isOfRow(entry);
  if (readsRow && field.writeValue) throw unknownValue(property, expression.span);
  const aggregates = { refused: 'An aggregate cannot stand in an update.' };
  const own = { ...context, unjoined: row };
  const scope = innerScope(outermostScope(own), variable, row, { aggregates });
  if (property.type === 'string') {
    inferText(expression, { context, ...(variable !== undefined && { own: { row, variable } }) });
  }
  const value = assignable(bindExpression(scope, expression), property);
  const isMade = value.kind !== 'parameter' && value.kind !== 'literal' && value.kind !== 'null';
  if (readsRow || !isMade) return { field, value };
  if (field.writeValue) checkEvaluable(expression);
  else if (!isEvaluable(expression)) return { field, value };
  const slots = slotsIn(context.parameters, expression);
  return { field, value, evaluated: { expression, slots } };
}

function keptValue({ name }: Property, span: Span): EngineError {
  const message = `Property '${name}' has one value in all rows of the entity: it is never set.`;
  return new EngineError('unsupported', message, { span });
}

/** What is changed on its way is not known to the database's own computation. */
function unknownValue({ name }: Property, span: Span): EngineError {
  const message = `Property '${name}' has a writeValue: Rowgate must know its value, which cannot be read of the row.`;
  return new EngineError('unsupported', message, { span });
}

/** What a changed value is made of is set together with it. */
function rejectPartial(assignments: readonly BoundAssignment[], { clause }: WrittenClauses): void {
  const set = new Set(assignments.map(({ field }) => field.property));
  for (const { field } of assignments) {
    const missing = field.writeValue?.reads.find((name) => !set.has(name));
    if (missing === undefined) continue;
    const message = `Property '${field.property}' is stored together with '${missing}', which the update does not set.`;
    throw new EngineError('parameter-missing', message, { span: clause.nameSpan });
  }
}

/** Rows without a key cannot be chosen before those are gone that their filter reads. */
function rejectLost(
  write: FilteredRows & Pick<BoundFilteredWrite, 'includes'>,
  { includeClauses }: WrittenClauses,
): void {
  if (write.row.entity.primaryKey.length > 0) return;
  const lost = write.includes.find((each) => readsTable(write, tableOf(each)));
  if (!lost) return;
  const message = `The filter reads rows of '${lost.relation.name}', which are deleted along: that needs a primary key, which entity '${write.row.entity.name}' has not.`;
  throw new EngineError('unsupported', message, { span: includeClauses[0]?.nameSpan });
}

function tableOf({ write }: BoundWriteInclude): string {
  return write.row.location.entity.mapping;
}

/** The foreign key of chosen rows is set by the update itself: it cannot wait for another row. */
function rejectReferred(
  includes: readonly BoundWriteInclude[],
  { includeClauses }: WrittenClauses,
) {
  const referred = includes.find(
    ({ write }) => write.kind === 'rows' && write.link?.holder === 'parent',
  );
  if (!referred) return;
  const message = `Relation '${referred.relation.name}' leads to one row: it is written along with an update by key, not by filter.`;
  throw new EngineError('unsupported', message, { span: includeClauses[0]?.nameSpan });
}
