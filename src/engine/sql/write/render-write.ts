/** Renders a bound write as the tree of statements that are executed and described. */
import type { Column, Include, Parameter, StatementPlan } from '../../compiled-query.js';
import type { RowsWrite } from '../../compiled-write.js';
import type { DialectName, Entity } from '../../schema/model.js';
import { slotValueType } from '../../query/parameters.js';
import { allOf } from '../../query/bind-lambda.js';
import { leadsToMany } from '../../query/rows.js';
import type {
  BoundFilteredWrite,
  BoundRowsWrite,
  BoundWrite,
  BoundWriteInclude,
} from '../../query/write/bound-write.js';
import { createAliases } from '../aliases.js';
import { dialectOf } from '../../dialects/dialects.js';
import { inputsOf, type Output, outputColumns } from '../outputs.js';
import { type IsHidden, HIDDEN as hiddenName, renderAnswered } from '../render-expression.js';
import { type Place, planHead, type QueryContext } from '../render-statements.js';
import { renderField } from './render-field.js';
import { renderFilteredWrite } from './render-filtered-write.js';
import type { WrittenLevel } from './filter-condition.js';
import {
  literalContext,
  predicateSql,
  writeChecks,
  type PredicateContext,
} from './predicate-sql.js';
import { renderRowText, type RowTarget } from './row-text.js';
import { EngineError } from '../../errors.js';
import type { Bound, BoundColumn, RowSource } from '../../query/logical.js';
import { quoteTable, storedTable } from '../../dialects/table-name.js';

/** Renders a write with its includes. */
export function renderWrite(
  write: BoundWrite,
  place: Place,
  isHidden: IsHidden | undefined,
): StatementPlan {
  const query = { place, aliases: createAliases(), isHidden };
  return write.kind === 'rows' ? rowsStatement(write, query) : filteredStatement(write, query, []);
}

function rowsStatement(bound: BoundRowsWrite, query: QueryContext): StatementPlan {
  const { row, action, fields, path, shape, link, includes } = bound;
  const { entity, location } = row;
  const { dialect } = location.source;
  const head = planHead(row, bound.offset, action, query);
  const { alias } = head;
  const answered = action === 'update' ? undefined : answeredBy(bound, { aliases: query.aliases });
  const returned = answered ? answered.outputs.map(({ name }) => name) : keysOf(bound);
  const links = linksOf(bound);
  const write: RowsWrite = {
    kind: 'rows',
    action,
    ...tableOf(bound),
    fields: fields.map((field) => ({
      ...renderField(row, field),
      ...(field.type === 'string' && links.has(field.property) && { isLink: true }),
    })),
    primaryKey: entity.primaryKey,
    uniqueKey: entity.uniqueKey,
    ...(bound.unchanged.length > 0 && { unchanged: bound.unchanged }),
    returned,
    ...(answered?.returning && { returning: answered.returning }),
    ...predicatesOfWrite(bound, { aliases: query.aliases }),
    path,
    shape,
    ...(link && { link }),
    ...(bound.lacksHidden && { lacksHidden: true }),
    ...(bound.hidesKeys && answered?.returning && { mustRead: true }),
  };
  const columns = answered ? outputColumns(answered.outputs) : keyColumns(entity, returned);
  return {
    ...head,
    text: planText({ write, dialect, alias }, bound, query),
    columns,
    parameters: rowParameters(bound),
    arguments: [],
    includes: includes.map((each) => includeOf(each, returned, query, [])),
    write,
  };
}

/** The statement that the plan displays. The one that runs depends on the data of the request. */
function planText(target: RowTarget, bound: BoundRowsWrite, query: QueryContext): string {
  const { write } = target;
  if (!query.isHidden) return renderRowText(target, usualShape(write, target.dialect)).text;
  const { row } = bound;
  const fields = write.fields.filter(({ property }) => !query.isHidden?.(row, property));
  const answered = write.returning && answeredBy(bound, query).returning;
  const redactedWrite = {
    ...write,
    fields,
    ...(answered && { returning: answered }),
    ...predicatesOfWrite(bound, query),
  };
  const shape = usualShape(redactedWrite, target.dialect);
  return renderRowText({ ...target, write: redactedWrite }, shape).text;
}

/** The predicates of the rows that may be written, and the checks of rows after the write. */
function predicatesOfWrite({ row, action, checks }: BoundRowsWrite, context: PredicateContext) {
  const predicate = allOf(row.predicates);
  const { source, entity } = row.location;
  const name = quoteTable(dialectOf(source.dialect), entity.mapping);
  const { aliases } = context;
  const byName = {
    ...context,
    aliases: (each) => (each === row ? name : aliases(each)),
  } satisfies PredicateContext;
  const isByName = action === 'upsert' && !dialectOf(source.dialect).writes.returnsUpdated;
  return {
    ...(predicate && { predicate: predicateSql(context, row, predicate) }),
    ...(predicate && isByName && { predicateByName: predicateSql(byName, row, predicate) }),
    ...(checks.length > 0 && { checks: writeChecks(context, row, checks) }),
  };
}

/** The columns that the write returns, with the values that a read would return. */
function answeredBy({ row, answered }: BoundRowsWrite, context: PredicateContext) {
  const values = answered.map((output): Output => ({ ...output, role: 'value' }));
  const outputs = [...values, ...inputsOf(values)];
  const isStored = ({ name, value }: Output): boolean =>
    value.kind === 'column' && value.row === row && value.property === name;
  const made = outputs.filter((output) => !isStored(output));
  if (made.length === 0) return { outputs, returning: undefined };
  const returning = made.map(
    ({ name, value }) => [name, returnedSql(context, row, value)] as const,
  );
  return { outputs, returning: Object.fromEntries(returning) };
}

function keyColumns({ properties }: Entity, names: readonly string[]): readonly Column[] {
  return names.map((name) => {
    const type = properties.find((property) => property.name === name)?.type ?? 'any';
    return { name, type, role: 'key' };
  });
}

/** The columns that an update returns, by which included rows and the answer refer to its rows. */
function keysOf({ row, includes }: BoundRowsWrite): string[] {
  return [
    ...new Set([...row.entity.primaryKey, ...includes.flatMap(({ relation }) => relation.from)]),
  ];
}

/** The columns whose stored values become foreign keys of related rows. */
function linksOf({ link, includes }: BoundRowsWrite): ReadonlySet<string> {
  const given = link?.holder === 'parent' ? link.to : [];
  const taken = includes.flatMap(({ write }) =>
    write.kind === 'rows' && write.link?.holder === 'child' ? write.link.from : [],
  );
  return new Set([...given, ...taken]);
}

function includeOf(
  { relation, write }: BoundWriteInclude,
  parentColumns: readonly string[],
  query: QueryContext,
  parents: readonly WrittenLevel[],
): Include {
  return {
    relation: relation.name,
    cardinality: leadsToMany(relation) ? 'many' : 'one',
    parentKeyColumn: parentColumns.indexOf(relation.from[0] ?? ''),
    statement:
      write.kind === 'rows'
        ? rowsStatement(write, query)
        : filteredStatement(write, query, parents),
  };
}

/**
 * The shape of row that the plan displays: with all properties that the data may contain, and no
 * generated key.
 */
function usualShape(write: RowsWrite, dialect: DialectName) {
  const { action, fields, primaryKey, shape } = write;
  const usual = fields.filter(
    ({ value, generated }) => value.kind !== 'none' && (action !== 'insert' || !generated),
  );
  const absent = action === 'update' ? [] : fields.filter((field) => !usual.includes(field));
  return {
    action,
    given: new Set(usual.map(({ property }) => property)),
    defaulted: new Set(absent.flatMap((field) => (field.default ? [field.property] : []))),
    keys: action === 'insert' ? [] : primaryKey,
    rows: shape === 'many' && dialectOf(dialect).writes.lists ? 2 : 1,
  };
}

function rowParameters({ fields, path, parameters }: BoundRowsWrite): Parameter[] {
  const types = new Map<string, Parameter['type']>();
  for (const { value, type } of fields) {
    if (value.kind === 'member') types.set([...path, value.name].join('.'), type);
  }
  for (const [name, slot] of parameters) types.set(name, slotValueType(slot));
  return [...types].map(([name, type]) => ({ name, type }));
}

function filteredStatement(
  bound: BoundFilteredWrite,
  query: QueryContext,
  parents: readonly WrittenLevel[],
): StatementPlan {
  const { row, action, assignments, presentIn, keyedBy, includes } = bound;
  const { entity } = row;
  const starts = new Set(includes.flatMap(({ relation }) => relation.from));
  const returned = action === 'update' ? [...starts] : [];
  const { aliases, isHidden } = query;
  const rendered = renderFilteredWrite(bound, parents, { aliases, returned });
  const redactedWrite = isHidden
    ? renderFilteredWrite(bound, parents, { aliases, returned, isHidden })
    : rendered;
  const displayed = redactedWrite.displayed ?? redactedWrite.text;
  const { text, displayed: _, arguments: given, parameters, ...rest } = rendered;
  const names = new Set(rest.assigned.map(({ field }) => field.property));
  return {
    ...planHead(row, bound.offset, action, query),
    text,
    ...(displayed !== text && { displayed }),
    columns: keyColumns(entity, returned),
    parameters,
    arguments: given,
    includes: includes.map((each) => {
      const { from, to } = each.relation;
      return includeOf(each, returned, query, [...parents, { parent: bound, from, to }]);
    }),
    write: {
      kind: 'filtered',
      action,
      ...tableOf(bound),
      ...rest,
      ...(bound.checks.length > 0 && {
        checks: writeChecks({ aliases: query.aliases }, row, bound.checks),
      }),
      computed: assignments.flatMap(({ field }) =>
        names.has(field.property) ? [] : [field.property],
      ),
      base: bound.base,
      ...(presentIn && { presentIn }),
      ...(keyedBy && { keyedBy }),
    },
  };
}

function tableOf({ row: { location }, constraints, conditions }: BoundWrite) {
  const dialect = dialectOf(location.source.dialect);
  const { name, schema } = storedTable(dialect, location.entity.mapping);
  return {
    table: quoteTable(dialect, location.entity.mapping),
    storedTable: name,
    ...(schema !== undefined && { storedSchema: schema }),
    constraints,
    conditions,
  };
}

/** The SQL of a value of the written row, whose table has the row's alias. */
function returnedSql(
  { aliases, isHidden }: PredicateContext,
  row: RowSource,
  value: Bound,
): string {
  const context = literalContext(row.location.source.dialect, aliases);
  const columnText = (column: BoundColumn): string => {
    if (isHidden?.(column.row, column.property)) return hiddenName;
    if (column.row === row) return `${aliases(row)}.${context.dialect.quoteName(column.column)}`;
    const message = `A property of entity '${row.entity.name}' is read from related rows, so a write cannot return it.`;
    throw new EngineError('unsupported', message);
  };
  return renderAnswered({ ...context, columnText }, value);
}
