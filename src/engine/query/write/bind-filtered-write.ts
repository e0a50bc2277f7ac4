/**
 * Binds filtered writes: updates and deletes of rows that the database selects by filters or by the key
 * in the data, or of all rows.
 */
import type { KeyedBy } from '../../compiled-write.js';
import { EngineError, type Span } from '../../errors.js';
import type { LambdaExpression } from '../../language/ast.js';
import type { Property } from '../../schema/model.js';
import { condition, literalOf, noSpan } from '../added.js';
import { bindExpression } from '../bind-expression.js';
import { allOf, bindCondition, lambdaOf } from '../bind-lambda.js';
import { checkWrittenLiteral } from '../enum-values.js';
import type { Bound, RowSource } from '../logical.js';
import { narrowSlot, shapeSlot, slotOf } from '../parameters.js';
import { requiredColumn, sameRow } from '../rows.js';
import { isGiven } from '../same-bound.js';
import { type BindContext, innerScope, outermostScope } from '../scope.js';
import { commonHead, entriesByName } from './bind-rows.js';
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
import { fieldsOf, fixedKeys, isFixed, wholeOf } from './fields.js';
import { inferText } from './infer-text.js';
import { readsTable } from './reads-table.js';
import type { WriteArgument, WriteEntry } from './read-argument.js';
import type { WrittenClauses } from './write-clauses.js';

export interface FilteredWriteSyntax {
  readonly row: RowSource;
  readonly action: 'update' | 'delete';
  readonly argument: WriteArgument;
  readonly clauses: WrittenClauses;
  readonly offset: number;
  /** The properties in the data, if only those are assigned; undefined: all may be. */
  readonly present: readonly string[] | undefined;
}

/** Binds a filtered update or delete, with its includes. */
export function bindFilteredWrite(
  context: BindContext,
  syntax: FilteredWriteSyntax,
): BoundFilteredWrite {
  const { action, argument, clauses, offset } = syntax;
  const filteredRows = bindFilter(context, syntax);
  const { row } = filteredRows;
  const isUpdate = action === 'update';
  const assignments = isUpdate ? bindAssignments(context, row, syntax) : [];
  if (isUpdate && assignments.length === 0) throw setsNothing(clauses);
  rejectPartial(assignments, clauses);
  const isPresent = isUpdate && argument.kind === 'data';
  const isKeyed = clauses.filters.length === 0 && clauses.write.rows !== 'all';
  const head = commonHead(
    assignments.flatMap(({ value }) => (value.kind === 'parameter' ? [value.slot.path] : [])),
  );
  const properties = writable(row).map(({ name }) => name);
  const fields = assignments.map(({ field }) => field);
  const includes = bindWrittenIncludes(context, row, {
    action,
    clauses: clauses.includeClauses,
    depth: 0,
  });
  rejectReferred(includes, clauses);
  if (!isUpdate) rejectLost({ ...filteredRows, includes }, clauses);
  const assigned = fields.map(({ property }) => property);
  const changed = isUpdate ? [...assigned, ...computedIn(context, row)] : [];
  const checks = checksOf(context, row).filter(({ reads }) =>
    changed.some((name) => reads.has(name)),
  );
  return {
    kind: 'filtered',
    action,
    ...filteredRows,
    assignments,
    base: argument.kind === 'data' ? argument.path : head === undefined ? [] : [head],
    presentIn: isPresent ? { path: argument.path, properties } : undefined,
    keyedBy: isKeyed ? keyedBy(row, argument) : undefined,
    offset,
    nameSpan: clauses.clause.nameSpan,
    constraints: isUpdate ? constraintsOf(row.entity, fields) : [],
    conditions: isUpdate
      ? conditionsOf(context.catalog, wholeOf(context, row.entity), row.entity)
      : [],
    includes,
    checks,
  };
}

/** The properties that only the database sets, such as generated columns: any update may change them. */
function computedIn(context: BindContext, { entity }: RowSource): readonly string[] {
  return wholeOf(context, entity).properties.flatMap(({ name, view }) => (view ? [name] : []));
}

type FilteredRows = Pick<BoundFilteredWrite, 'row' | 'filtered' | 'filter' | 'recheck'>;

/**
 * Binds the filter. One that joins other rows is bound to a separate row, and the written row, which
 * cannot have joins, is found by its key and checked again. Without a key, a sub-select contains the joins.
 */
function bindFilter(
  context: BindContext,
  { row, clauses, argument }: FilteredWriteSyntax,
): FilteredRows {
  const { filters, write, clause } = clauses;
  if (filters.length === 0) {
    if (write.rows === 'all') return { row, filtered: row, filter: undefined };
    const keys = row.entity.primaryKey;
    if (keys.length === 0) {
      const message = `'${clause.name}' without a filter needs a primary key, but entity '${row.entity.name}' has none.`;
      throw new EngineError('wrong-arguments', message, { span: clause.nameSpan });
    }
    return { row, filtered: row, filter: keyFilter(context, row, basePath(argument)) };
  }
  const aggregates = { refused: 'A filter of a write cannot contain an aggregate.' };
  const scope = outermostScope(context);
  const filterOf = (of: RowSource) => {
    const bind = (each: LambdaExpression) => bindCondition(scope, of, each, { aggregates });
    return allOf(filters.map((each) => bind(lambdaOf(each))));
  };
  const filter = filterOf(row);
  const isFoundByKey = row.joins.size > 0 && row.entity.primaryKey.length > 0;
  if (!isFoundByKey) return { row, filtered: row, filter };
  const written = sameRow(context, row);
  return { row: written, filtered: row, filter, recheck: filterOf(written) };
}

/** The condition that each part of the primary key equals its value in the data. */
function keyFilter(context: BindContext, row: RowSource, path: readonly string[]) {
  const fixed = fixedKeys(row);
  return allOf(
    row.entity.primaryKey.map((name) => {
      const column = requiredColumn(row, name);
      const { type } = column;
      const key = fixed.get(name);
      const value =
        key === undefined ? parameterAt(context, [...path, name], type) : literalOf(type, key);
      return condition('==', column, value);
    }),
  );
}

/** Which parts of the primary key the data must contain: all but fixed ones. */
function keyedBy(row: RowSource, argument: WriteArgument): KeyedBy {
  const { name: entity, primaryKey } = row.entity;
  const all = fixedKeys(row);
  const fixed = [...all].map(([property, text]) => {
    return { property, text, message: fixedMessage(entity, property, text) };
  });
  return { path: basePath(argument), keys: primaryKey.filter((name) => !all.has(name)), fixed };
}

function parameterAt(context: BindContext, path: readonly string[], type: Property['type']): Bound {
  const slot = slotOf(context.parameters, path);
  shapeSlot(slot, 'scalar', noSpan);
  narrowSlot(slot, type, noSpan);
  return { kind: 'parameter', slot, span: noSpan };
}

function basePath(argument: WriteArgument): readonly string[] {
  return argument.kind === 'data' ? argument.path : [];
}

/** The properties that a filtered update may take from the data. Keys select rows and do not change. */
function writable(row: RowSource): readonly Property[] {
  const { primaryKey, properties } = row.entity;
  return properties.filter(
    (each) => !each.view && !isFixed(row, each) && !primaryKey.includes(each.name),
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
  if (argument.kind === 'data') {
    const written = writable(row).filter(({ name }) => present?.includes(name) ?? true);
    return written.flatMap(({ name, type }) => {
      const field = fields.get(name);
      return field ? [{ field, value: parameterAt(context, [...argument.path, name], type) }] : [];
    });
  }
  const entries = entriesByName(row, argument.entries);
  return row.entity.properties.flatMap((property) => {
    const entry = entries.get(property.name);
    const field = fields.get(property.name);
    return entry && field ? [entryAssignment(context, row, entry, { property, field })] : [];
  });
}

/**
 * Binds an assigned expression. It reads the row as it was before the update, and related rows by
 * sub-selects, since an UPDATE has no joins.
 */
function entryAssignment(
  context: BindContext,
  row: RowSource,
  entry: WriteEntry,
  { property, field }: { readonly property: Property; readonly field: BoundField },
): BoundAssignment {
  if (field.fixed !== undefined) throw keptValue(property, entry.span);
  const { variable, value: expression } = entry;
  const readsRow = isOfRow(entry);
  if (readsRow && field.writeValue) throw unknownValue(property, expression.span);
  const aggregates = { refused: 'An update cannot contain an aggregate.' };
  const own = { ...context, unjoined: row };
  const scope = innerScope(outermostScope(own), variable, row, { aggregates });
  if (property.type === 'string') {
    inferText(expression, { context, ...(variable !== undefined && { own: { row, variable } }) });
  }
  const value = assignable(bindExpression(scope, expression), property);
  if (value.kind === 'literal' && property.type === 'string') {
    checkWrittenLiteral(context.catalog, property, value.text, value.span);
  }
  if (readsRow || isGiven(value)) return { field, value };
  if (field.writeValue) checkEvaluable(expression);
  else if (!isEvaluable(expression)) return { field, value };
  const slots = slotsIn(context.parameters, expression);
  return { field, value, evaluated: { expression, slots } };
}

function keptValue({ name }: Property, span: Span): EngineError {
  const message = `Property '${name}' has the same value in all rows of the entity and cannot be set.`;
  return new EngineError('unsupported', message, { span });
}

/** The error for an assigned value that reads the row although the property has a `writeValue`. */
function unknownValue({ name }: Property, span: Span): EngineError {
  const message = `Rowgate evaluates the writeValue of property '${name}' itself, so its new value cannot depend on the stored row.`;
  return new EngineError('unsupported', message, { span });
}

function setsNothing({ clause: { name, nameSpan: span } }: WrittenClauses): EngineError {
  return new EngineError('wrong-arguments', `'${name}' sets no property.`, { span });
}

/**
 * Throws if a `writeValue` reads another property that the update does not assign, or whose new value only
 * the database computes.
 */
function rejectPartial(assignments: readonly BoundAssignment[], { clause }: WrittenClauses): void {
  const span = clause.nameSpan;
  const set = new Map(assignments.map((each) => [each.field.property, each]));
  for (const { field } of assignments) {
    const { property, writeValue } = field;
    const unknown = writeValue?.reads.find((name) => !isKnown(set.get(name)));
    if (unknown === undefined) continue;
    const shown = writeValue?.hidden?.includes(unknown) ? 'a value' : `'${unknown}'`;
    const what = `The writeValue of property '${property}' reads ${shown}, which`;
    if (!set.has(unknown)) {
      throw new EngineError('parameter-missing', `${what} the update does not set.`, { span });
    }
    throw new EngineError('unsupported', `${what} only the database computes.`, { span });
  }
}

/** Whether Rowgate knows the new value. */
function isKnown(assignment: BoundAssignment | undefined): boolean {
  if (!assignment) return false;
  const { value, evaluated } = assignment;
  return evaluated !== undefined || isGiven(value);
}

/**
 * Throws if a filter reads related rows that the delete includes, and the entity has no key: the
 * selected rows could not be locked before the related ones are deleted.
 */
function rejectLost(
  write: FilteredRows & Pick<BoundFilteredWrite, 'includes'>,
  { includeClauses }: WrittenClauses,
): void {
  if (write.row.entity.primaryKey.length > 0) return;
  const lost = write.includes.find((each) => readsTable(write, tableOf(each)));
  if (!lost) return;
  const message = `The filter reads rows of '${lost.relation.name}', which the delete includes: this needs a primary key, but entity '${write.row.entity.name}' has none.`;
  throw new EngineError('unsupported', message, { span: includeClauses[0]?.nameSpan });
}

function tableOf({ write }: BoundWriteInclude): string {
  return write.row.location.entity.mapping;
}

/**
 * Throws for an include of the row that the written rows refer to: the update itself sets their foreign
 * key, so it cannot depend on a row that is still to be written.
 */
function rejectReferred(
  includes: readonly BoundWriteInclude[],
  { includeClauses }: WrittenClauses,
) {
  const referred = includes.find(
    ({ write }) => write.kind === 'rows' && write.link?.holder === 'parent',
  );
  if (!referred) return;
  const message = `Relation '${referred.relation.name}' leads to one row: an update by key can include it, but an update by filter cannot.`;
  throw new EngineError('unsupported', message, { span: includeClauses[0]?.nameSpan });
}
