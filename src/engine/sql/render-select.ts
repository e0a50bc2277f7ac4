/** Bound selects as sentences: the SQL text, its columns and arguments, and those it includes. */
import type { Argument, Column, Inclusion, Parameter, Sentence } from '../compiled-query.js';
import { invariant, type Position } from '../errors.js';
import { typeOf } from '../query/bind-operators.js';
import type { BoundColumn, BoundInclusion, BoundSelect, RowSource } from '../query/logical.js';
import { columnOf, leadsToMany } from '../query/rows.js';
import type { PropertyType } from '../schema/model.js';
import { type Aliases, createAliases } from './aliases.js';
import { dialectOf } from './dialects.js';
import {
  placeholderFor,
  renderColumn,
  renderCondition,
  renderValue,
  type SentenceContext,
} from './render-expression.js';

/** The place of an offset of the expression, counted from 0. */
export type Place = (offset: number) => Position;

/** Renders a query and all that it includes. */
export function renderQuery(select: BoundSelect, place: Place): Sentence {
  return renderSelect(select, undefined, { place, aliases: createAliases() });
}

/** What all sentences of a query share. */
interface QueryContext {
  readonly place: Place;
  readonly aliases: Aliases;
}

/** `parentKey`: of an included select, the property that holds its parent's key. */
function renderSelect(
  select: BoundSelect,
  parentKey: string | undefined,
  query: QueryContext,
): Sentence {
  const { row } = select;
  const { source } = row.location;
  const dialect = dialectOf(source.dialect);
  const context: SentenceContext = { dialect, aliases: query.aliases, arguments: [] };
  const alias = query.aliases.of(row);
  const outputs = [...select.outputs, ...hiddenOutputs(select, parentKey)];
  const list = outputs.map(
    ({ name, value }) => `${renderValue(context, value)} AS ${dialect.quoteAlias(name)}`,
  );
  const text = [
    `SELECT ${list.join(', ')}`,
    `FROM ${dialect.quoteName(row.location.entity.mapping)} ${alias}`,
    ...renderJoins(context, row),
    ...renderWhere(context, select, parentKey),
    ...(parentKey === undefined ? [] : renderKeyOrder(context, row)),
  ].join(' ');
  const columns = outputs.map(outputColumn);
  return {
    entity: row.entity.name,
    alias,
    position: query.place(select.offset),
    clause: 'select',
    source: source.name,
    dialect: source.dialect,
    text,
    columns,
    parameters: parametersOf(context.arguments),
    arguments: context.arguments,
    inclusions: select.inclusions.map((inclusion) => renderInclusion(inclusion, columns, query)),
  };
}

interface Output {
  readonly name: string;
  readonly value: BoundSelect['outputs'][number]['value'];
  readonly role?: Column['role'];
}

/** The keys that inclusions start from, the root's own key (`__id` last), the parent's key. */
function hiddenOutputs(select: BoundSelect, parentKey: string | undefined): Output[] {
  const { row } = select;
  const ownKeys = parentKey === undefined ? row.entity.primaryKey : [];
  const starts = select.inclusions.map(({ relation }) => relation.from);
  const names = new Set([...starts.filter((name) => !ownKeys.includes(name)), ...ownKeys]);
  const keys: Output[] = [...names].map((name) => ({
    name: `__${name}`,
    value: requiredColumn(row, name),
    role: 'key',
  }));
  if (parentKey === undefined) return keys;
  return [
    ...keys,
    { name: 'ServiceParentId', value: requiredColumn(row, parentKey), role: 'parent' },
  ];
}

function outputColumn({ name, value, role = 'value' }: Output): Column {
  return { name, type: typeOf(value) ?? 'any', role };
}

function renderJoins(context: SentenceContext, row: RowSource): string[] {
  return [...row.joins.values()].flatMap(({ relation, row: joined }) => {
    const table = context.dialect.quoteName(joined.location.entity.mapping);
    const left = renderColumn(context, requiredColumn(joined, relation.to));
    const right = renderColumn(context, requiredColumn(row, relation.from));
    const kind = joined.optional ? 'LEFT' : 'INNER';
    const join = `${kind} JOIN ${table} ${context.aliases.of(joined)} ON ${left} = ${right}`;
    return [join, ...renderJoins(context, joined)];
  });
}

function renderWhere(
  context: SentenceContext,
  { row, filter }: BoundSelect,
  parentKey: string | undefined,
): string[] {
  const conditions: string[] = [];
  if (parentKey !== undefined) conditions.push(renderParentKeys(context, row, parentKey));
  if (filter) conditions.push(renderCondition(context, filter));
  return conditions.length === 0 ? [] : [`WHERE ${conditions.join(' AND ')}`];
}

function renderParentKeys(context: SentenceContext, row: RowSource, parentKey: string): string {
  const column = requiredColumn(row, parentKey);
  const keys = placeholderFor(context, { kind: 'parentKeys', type: column.type });
  return `${renderColumn(context, column)} IN (${context.dialect.listRows(keys, column.type)})`;
}

/** Children come in the order of their primary key. */
function renderKeyOrder(context: SentenceContext, row: RowSource): string[] {
  const keys = row.entity.primaryKey.map((name) =>
    renderColumn(context, requiredColumn(row, name)),
  );
  return keys.length === 0 ? [] : [`ORDER BY ${keys.join(', ')}`];
}

function renderInclusion(
  { relation, select }: BoundInclusion,
  parentColumns: readonly Column[],
  query: QueryContext,
): Inclusion {
  const parentKeyColumn = parentColumns.findIndex(({ name }) => name === `__${relation.from}`);
  invariant(parentKeyColumn !== -1, 'a sentence lists the keys that its inclusions start from');
  return {
    relation: relation.name,
    cardinality: leadsToMany(relation) ? 'many' : 'one',
    parentKeyColumn,
    sentence: renderSelect(select, relation.to, query),
  };
}

function parametersOf(arguments_: readonly Argument[]): Parameter[] {
  const types = new Map<string, PropertyType | Parameter['type']>();
  for (const argument of arguments_) {
    if (argument.kind === 'parameter') types.set(argument.path.join('.'), argument.type);
  }
  return [...types].map(([name, type]) => ({ name, type }));
}

function requiredColumn(row: RowSource, property: string): BoundColumn {
  const column = columnOf(row, property, { start: 0, end: 0 });
  invariant(column, `entity ${row.entity.name} has the property ${property}`);
  return column;
}
