/** Renders a bound query as the tree of statements that are executed and described. */
import type { Argument, Column, Include, Parameter, StatementPlan } from '../compiled-query.js';
import { invariant, type Position } from '../errors.js';
import type { BoundInclude, BoundSelect, RowSource } from '../query/logical.js';
import { leadsToMany } from '../query/rows.js';
import { type Aliases, createAliases } from './aliases.js';
import { dialectOf } from '../dialects/dialects.js';
import { keyName, outputColumns, outputsOf } from './outputs.js';
import { knownArguments } from './placeholders.js';
import type { IsHidden, RenderContext } from './render-expression.js';
import { isIndexed } from './render-key-lists.js';
import { isTextLink, renderSelect } from './render-select.js';

/** Returns the position in the expression for an offset counted from 0. */
export type Place = (offset: number) => Position;

/** Renders a query with its includes. */
export function renderStatements(
  select: BoundSelect,
  place: Place,
  isHidden: IsHidden | undefined,
  keepsDates?: true,
): StatementPlan {
  return statementOf(select, undefined, { place, aliases: createAliases(), isHidden, keepsDates });
}

/** What all statements of a query share. */
export interface QueryContext {
  readonly place: Place;
  readonly aliases: Aliases;
  /** Set if the query uses a view. */
  readonly isHidden: IsHidden | undefined;
  readonly keepsDates?: true | undefined;
}

/** What a plan tells of a statement besides its text. */
export function planHead(
  row: RowSource,
  offset: number,
  clause: StatementPlan['clause'],
  { aliases, place }: QueryContext,
) {
  const { name: source, dialect } = row.location.source;
  const position = place(offset);
  return { entity: row.entity.name, alias: aliases(row), position, clause, source, dialect };
}

function statementOf(
  select: BoundSelect,
  include: BoundInclude | undefined,
  query: QueryContext,
): StatementPlan {
  const dialect = dialectOf(select.row.location.source.dialect);
  const known = knownArguments(dialect, select.grouped);
  const { aliases, isHidden, keepsDates } = query;
  const context: RenderContext = { dialect, aliases, keepsDates, arguments: [], ...known };
  const head = planHead(select.row, select.offset, 'select', query);
  const parentKey = include?.parentKey;
  const outputs = outputsOf(select, parentKey);
  const parts = { select, outputs, parentKey, many: include && leadsToMany(include.relation) };
  const byIndex = dialect.inList !== undefined && isIndexed(parentKey?.[0]);
  const text = renderSelect(context, { ...parts, byIndex });
  const redacted = {
    ...context,
    arguments: [],
    // Its placeholders are numbered from 1 again.
    ...knownArguments(dialect, select.grouped),
    isHidden,
  };
  const isOther = isHidden || byIndex || outputs.some(isTextLink);
  const displayed = isOther ? renderSelect(redacted, { ...parts, isShown: true }) : undefined;
  const columns = select.counted ? [countColumn] : outputColumns(outputs);
  return {
    ...head,
    text,
    ...(displayed !== undefined && displayed !== text && { displayed }),
    columns,
    parameters: parametersOf(context.arguments),
    arguments: context.arguments,
    includes: select.includes.map((each) => includeOf(each, select.row, columns, query)),
  };
}

const countColumn: Column = { name: 'count', type: 'integer', role: 'value' };

function includeOf(
  include: BoundInclude,
  parent: RowSource,
  parentColumns: readonly Column[],
  query: QueryContext,
): Include {
  const { name, relation } = include;
  const key = keyName(relation.from);
  const parentKeyColumn = parentColumns.findIndex((column) => column.name === key);
  invariant(parentKeyColumn !== -1, 'a statement lists the keys that its includes start from');
  return {
    relation: name,
    cardinality: leadsToMany(relation) ? 'many' : 'one',
    parentKeyColumn,
    ...(!haveDistinctKeys(parent, include) && { hasEqualParents: true }),
    statement: statementOf(include.select, include, query),
  };
}

/** Another source may consider keys equal that differ in the source of the parents. */
function haveDistinctKeys({ entity, location }: RowSource, { relation, select }: BoundInclude) {
  const { primaryKey, uniqueKey } = entity;
  const isUnique = [primaryKey, uniqueKey].some(
    (key) => key.length > 0 && key.every((name) => relation.from.includes(name)),
  );
  return isUnique && location.source.name === select.row.location.source.name;
}

/** The parameters among the arguments of a statement, without duplicates. */
export function parametersOf(given: readonly Argument[]): Parameter[] {
  const types = new Map<string, Parameter['type']>();
  for (const argument of given) {
    for (const { name, type } of parametersIn(argument)) types.set(name, type);
  }
  return [...types].map(([name, type]) => ({ name, type }));
}

function parametersIn(argument: Argument): Parameter[] {
  switch (argument.kind) {
    case 'parameter': {
      const { path, type } = argument;
      const isPartOfCursor = /^\d/.test(path.at(-1) ?? '');
      if (isPartOfCursor) return [{ name: path.slice(0, -1).join('.'), type: 'string' }];
      return [{ name: path.join('.'), type }];
    }
    case 'count':
      return countParameters([argument.count]);
    case 'pageStart':
    case 'pageEnd':
      return countParameters([argument.page, argument.size]);
    default:
      return [];
  }
}

function countParameters(
  counts: readonly Extract<Argument, { kind: 'count' }>['count'][],
): Parameter[] {
  return counts.flatMap((count) =>
    count.kind === 'parameter' ? [{ name: count.path.join('.'), type: 'integer' }] : [],
  );
}
