/** Binds writes of rows in the data: insert, upsert, and update by key. */
import type { FieldValue, RowsWrite, WriteLink } from '../../compiled-write.js';
import { EngineError, type Span } from '../../errors.js';
import type { ClauseSyntax } from '../../language/ast.js';
import type { Entity, Property } from '../../schema/model.js';
import type { RowSource } from '../logical.js';
import { allProperties } from '../read-column.js';
import { unknownProperty } from '../rows.js';
import type { BindContext } from '../scope.js';
import { checksOf } from './bind-checks.js';
import { bindWrittenIncludes } from './bind-written-includes.js';
import type { BoundField, BoundRowsWrite } from './bound-write.js';
import { conditionsOf, constraintsOf } from './constraints.js';
import { entryValues } from './entry-value.js';
import { fieldsOf, isFixed, isRequired, wholeOf } from './fields.js';
import type { WriteArgument, WriteEntry } from './read-argument.js';

export interface RowsSyntax {
  readonly row: RowSource;
  readonly action: RowsWrite['action'];
  readonly argument: WriteArgument;
  readonly shape: RowsWrite['shape'];
  readonly link: WriteLink | undefined;
  readonly includeClauses: readonly ClauseSyntax[];
  readonly offset: number;
  readonly depth: number;
  /** The name of the clause or of the relation. */
  readonly span: Span;
}

/** Binds rows with their includes. Parameters are added to `context.parameters`. */
export function bindRows(context: BindContext, syntax: RowsSyntax): BoundRowsWrite {
  const { row, action, argument, shape, link, offset, depth } = syntax;
  const { entity } = row;
  if (!findsRows(context, syntax)) throw noKey(syntax);
  const chosen =
    argument.kind === 'data'
      ? undefined
      : entryValues(context, row, entriesByName(row, argument.entries));
  const keys = new Set([...entity.primaryKey, ...(action === 'upsert' ? entity.uniqueKey : [])]);
  const valueOf = (property: Property): FieldValue => {
    const { name } = property;
    const value = chosen?.get(name);
    if (value) return value;
    const isRead = !chosen || (action !== 'insert' && keys.has(name));
    return isRead ? { kind: 'member', name } : { kind: 'none' };
  };
  const { path, fields } = relativeTo(argument, fieldsOf(context, row, valueOf));
  const includes = bindWrittenIncludes(context, row, {
    action,
    clauses: syntax.includeClauses,
    depth,
  });
  // An update by key sets no part of the primary key.
  const isKept = (name: string) => action === 'update' && entity.primaryKey.includes(name);
  const checks = checksOf(context, row).filter(({ reference }) => !reference?.every(isKept));
  const checked =
    action === 'insert' ? fields : fields.filter(({ value }) => value.kind !== 'none');
  return {
    kind: 'rows',
    row,
    action,
    fields,
    answered: allProperties(context, row),
    parameters: context.parameters,
    path,
    shape,
    link,
    offset,
    constraints: constraintsOf(entity, checked),
    conditions: conditionsOf(context.catalog, wholeOf(context, entity), entity),
    checks,
    includes,
    unchanged: chosen ? [...keys].filter((name) => !chosen.has(name)) : [],
    lacksHidden: needsHidden(wholeOf(context, entity), row),
    hidesKeys: keysIn(entity) < keysIn(wholeOf(context, entity)),
  };
}

function keysIn({ primaryKey, uniqueKey }: Entity): number {
  return [primaryKey, uniqueKey].filter(({ length }) => length > 0).length;
}

/** Whether a new row needs the value of a hidden property, which the data cannot contain. */
function needsHidden(whole: Entity, row: RowSource): boolean {
  const isShown = (name: string) => row.entity.properties.some((each) => each.name === name);
  const isFilledIn = (each: Property) =>
    each.default !== undefined || isFixed(row, each) || each.autoIncrement || each.view;
  return whole.properties.some(
    (each) => !isShown(each.name) && isRequired(whole, each) && !isFilledIn(each),
  );
}

/** The entries by property. Throws for unknown, read-only and repeated ones. */
export function entriesByName(
  row: RowSource,
  entries: readonly WriteEntry[],
): ReadonlyMap<string, WriteEntry> {
  const byName = new Map<string, WriteEntry>();
  for (const entry of entries) {
    const { property: name, span } = entry;
    const property = row.entity.properties.find((each) => each.name === name);
    if (!property) throw unknownProperty(row, name, span);
    if (property.view) {
      throw new EngineError('unsupported', `Property '${name}' is read-only.`, { span });
    }
    if (byName.has(name)) {
      throw new EngineError('wrong-arguments', `Property '${name}' is set twice.`, { span });
    }
    byName.set(name, entry);
  }
  return byName;
}

/**
 * The path of the rows' object, and the fields relative to it. In `{name: entity.name}` the object is
 * `entity`, which also contains the key and the included rows.
 */
function relativeTo(argument: WriteArgument, fields: readonly BoundField[]) {
  if (argument.kind === 'data') return { path: argument.path, fields };
  const head = commonHead(
    fields.flatMap(({ value }) => (value.kind === 'parameter' ? [value.path] : [])),
  );
  const isComputed = fields.some(({ value }) => value.kind === 'computed');
  if (head === undefined || isComputed) return { path: [], fields };
  return { path: [head], fields: fields.map(withoutHead) };
}

/** The object that contains all of these parameters, as `entity` in `{name: entity.name}`; undefined if none does. */
export function commonHead(paths: readonly (readonly string[])[]): string | undefined {
  const head = paths[0]?.[0];
  return paths.every((path) => path.length > 1 && path[0] === head) ? head : undefined;
}

function withoutHead(field: BoundField): BoundField {
  const { value } = field;
  if (value.kind !== 'parameter') return field;
  return { ...field, value: { kind: 'parameter', path: value.path.slice(1) } };
}

/** Whether rows can be found by a key; a primary key that the view hides is not replaced by the unique one. */
function findsRows(context: BindContext, { row: { entity }, action }: RowsSyntax): boolean {
  if (action === 'insert' || entity.primaryKey.length > 0) return true;
  return (
    action === 'upsert' &&
    entity.uniqueKey.length > 0 &&
    wholeOf(context, entity).primaryKey.length === 0
  );
}

function noKey({ row: { entity }, action, span }: RowsSyntax): EngineError {
  const isUpsert = action === 'upsert';
  const key = isUpsert && entity.uniqueKey.length === 0 ? 'primary or unique key' : 'primary key';
  const message = `'${action}' finds rows by their ${key}, but entity '${entity.name}' has none.`;
  const hint = isUpsert ? undefined : `Add a filter, or write ${action}All() for all rows.`;
  return new EngineError('wrong-arguments', message, { span, hint });
}
