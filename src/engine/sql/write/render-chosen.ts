/** UPDATE and DELETE of rows that a condition chooses, and of those that refer to them. */
import type { Argument, Parameter } from '../../compiled-query.js';
import type { AssignedField, ChosenWrite } from '../../compiled-write.js';
import { parametersOfSlots, slotType } from '../../query/parameters.js';
import type { Bound, RowSource } from '../../query/logical.js';
import { fencedFilter } from '../../query/fenced.js';
import { requiredColumn } from '../../query/rows.js';
import type { BoundAssignment, BoundChosenWrite } from '../../query/write/bound-write.js';
import type { Aliases } from '../aliases.js';
import { dialectOf } from '../dialects.js';
import {
  type IsHidden,
  placeholderFor,
  renderColumn,
  renderCondition,
  renderJoins,
  renderRowConditions,
  renderTable,
  renderValue,
  type SentenceContext,
} from '../render-expression.js';
import { parametersOf } from '../sentences.js';
import { checkName, guardSql } from './guard-sql.js';
import { writtenSql } from './written-sql.js';
import { writeDialectOf } from './write-dialects.js';

/** A write, and the relation from its rows to those of the level below. */
export interface WrittenLevel {
  readonly parent: BoundChosenWrite;
  readonly from: string;
  readonly to: string;
}

export interface ChosenOptions {
  readonly aliases: Aliases;
  /** The properties that the statement returns of each row. */
  readonly returned: readonly string[];
  readonly isHidden?: IsHidden | undefined;
}

export interface RenderedChosen {
  readonly text: string;
  readonly arguments: readonly Argument[];
  readonly parameters: readonly Parameter[];
  readonly assigned: readonly AssignedField[];
  readonly before?: ChosenWrite['before'];
  readonly after?: ChosenWrite['after'];
}

/** Renders the statement; `parents` are the writes that its rows are chosen through, the root first. */
export function renderChosen(
  bound: BoundChosenWrite,
  parents: readonly WrittenLevel[],
  { aliases, returned, isHidden }: ChosenOptions,
): RenderedChosen {
  const { row, action, assignments } = bound;
  const dialect = dialectOf(row.location.source.dialect);
  const own = writeDialectOf(dialect.name);
  const plain = { dialect, aliases, arguments: [] };
  const context: SentenceContext = isHidden ? { ...plain, isHidden } : plain;
  const table = renderTable(context, row);
  const alias = aliases.of(row);
  const head =
    action === 'delete'
      ? own.deleteFrom(table, alias)
      : `UPDATE ${table} ${alias} SET ${assignments.map((each) => renderAssignment(context, each)).join(', ')}`;
  const where = chosenBy(context, bound, parents);
  const columns = returned.map(
    (name) => `${renderColumn(context, requiredColumn(row, name))} AS ${dialect.quoteAlias(name)}`,
  );
  const checks = bound.checks.map(
    ({ condition }, index) =>
      `${guardSql({ aliases, isHidden }, row, condition)} AS ${dialect.quoteAlias(checkName(index))}`,
  );
  const told = [...columns, ...checks];
  const returning = own.returnsUpdated && told.length > 0 ? ` RETURNING ${told.join(', ')}` : '';
  const isChecked = !own.returnsUpdated && checks.length > 0;
  const keys = isChecked ? row.location.entity.primaryKey : [];
  const selected = [...returned, ...keys];
  const before =
    own.returnsUpdated || selected.length === 0
      ? undefined
      : selectBefore({ ...context, arguments: [] }, bound, { parents, returned: selected });
  const assigned = assignments.flatMap(assignedField);
  return {
    text: head + (where === undefined ? '' : ` WHERE ${where}`) + returning,
    ...(before && { before }),
    ...(isChecked && { after: checksAfter(context, row, checks) }),
    arguments: context.arguments,
    parameters: parametersOf([...context.arguments, ...assigned.flatMap(parametersOfAssigned)]),
    assigned,
  };
}

/** By the whole key, whatever a view shows of it. */
function checksAfter(
  context: SentenceContext,
  row: RowSource,
  checks: readonly string[],
): NonNullable<ChosenWrite['after']> {
  const keys = row.location.entity.primaryKey.map((name) => requiredColumn(row, name));
  const columns = keys.map((key) => renderColumn(context, key)).join(', ');
  const from = `${renderTable(context, row)} ${context.aliases.of(row)}`;
  return {
    head: `SELECT ${checks.join(', ')} FROM ${from} WHERE (${columns}) IN `,
    types: keys.map(({ type }) => type),
  };
}

/** SELECT of what the rows that an UPDATE chooses will hold, which locks them. */
function selectBefore(
  context: SentenceContext,
  bound: BoundChosenWrite,
  { parents, returned }: BeforeOptions,
): ChosenWrite['before'] {
  const { row, assignments } = bound;
  const columns = returned.map((name) => {
    const assigned = assignments.find(({ field }) => field.property === name);
    return assigned
      ? renderAssigned(context, assigned.value)
      : renderColumn(context, requiredColumn(row, name));
  });
  const where = chosenBy(context, bound, parents);
  const from = `FROM ${renderTable(context, row)} ${context.aliases.of(row)}`;
  const condition = where === undefined ? '' : ` WHERE ${where}`;
  const text = `SELECT ${columns.join(', ')} ${from}${condition} FOR UPDATE`;
  return { text, arguments: context.arguments };
}

interface BeforeOptions {
  readonly parents: readonly WrittenLevel[];
  readonly returned: readonly string[];
}

function renderAssignment(context: SentenceContext, { field, value }: BoundAssignment): string {
  const { column, property, type, writeValue } = field;
  const sql = writeValue
    ? placeholderFor(context, { kind: 'changed', property, type })
    : renderAssigned(context, value);
  return `${column} = ${writtenSql(context.dialect, field, sql)}`;
}

/** A placeholder by itself takes the type of its column. */
function renderAssigned(context: SentenceContext, value: Bound): string {
  const argument = argumentOf(value);
  const isPlaced = argument?.kind === 'parameter' || (argument && isText(value));
  return argument && argument.kind !== 'null' && isPlaced
    ? placeholderFor(context, argument)
    : renderValue(context, value);
}

/** Whether a literal is no part of the text. */
function isText(value: Bound): boolean {
  return (
    value.kind === 'literal' && !['integer', 'decimal', 'number', 'boolean'].includes(value.type)
  );
}

function argumentOf(
  value: Bound,
): Exclude<AssignedField['value'], { kind: 'computed' }> | undefined {
  switch (value.kind) {
    case 'null':
      return { kind: 'null' };
    case 'literal':
      return { kind: 'literal', text: value.text, type: value.type };
    case 'parameter':
      return { kind: 'parameter', path: value.slot.path, type: slotType(value.slot) ?? 'any' };
    default:
      return undefined;
  }
}

function assignedField({ field, value, evaluated }: BoundAssignment): AssignedField[] {
  const argument = argumentOf(value);
  if (argument) return [{ field, value: argument }];
  if (!evaluated) return [];
  const parameters = parametersOfSlots(evaluated.slots);
  return [{ field, value: { kind: 'computed', expression: evaluated.expression, parameters } }];
}

/** What Rowgate itself makes values of is no argument of the statement. */
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

/** The condition on the rows of `bound.row`; undefined: all of them. */
function chosenBy(
  context: SentenceContext,
  bound: BoundChosenWrite,
  parents: readonly WrittenLevel[],
): string | undefined {
  const { row, filtered, filter } = bound;
  const level = parents.at(-1);
  if (level) {
    const select = selectOf(context, level.parent, parents.slice(0, -1), [level.from]);
    const isOwn = [...parents.map(({ parent }) => parent.row)].some(
      (each) => each.location.entity.mapping === row.location.entity.mapping,
    );
    const among = amongRows(context, row, [level.to], select, isOwn);
    return [among, ...renderRowConditions(context, row)].join(' AND ');
  }
  if (row === filtered || !filter) return conditionOf(context, row, filter);
  // The whole key, whatever a view shows of it.
  const keys = row.location.entity.primaryKey;
  return amongRows(context, row, keys, selectOf(context, bound, [], keys), true);
}

/** A filter, and what makes a row one of the entity. */
function conditionOf(
  context: SentenceContext,
  row: RowSource,
  filter: Bound | undefined,
): string | undefined {
  const conditions = renderRowConditions(context, row);
  if (filter) conditions.push(renderCondition(context, fencedFilter(row, filter)));
  return conditions.length === 0 ? undefined : conditions.join(' AND ');
}

function amongRows(
  context: SentenceContext,
  row: RowSource,
  names: readonly string[],
  select: string,
  isOwn: boolean,
): string {
  const keys = names.map((name) => renderColumn(context, requiredColumn(row, name)));
  return writeDialectOf(context.dialect.name).amongRows(keys, select, isOwn);
}

/** SELECT of properties of the rows that a write chooses. */
function selectOf(
  context: SentenceContext,
  bound: BoundChosenWrite,
  parents: readonly WrittenLevel[],
  names: readonly string[],
): string {
  const row = parents.length > 0 ? bound.row : bound.filtered;
  const columns = names.map((name) => renderColumn(context, requiredColumn(row, name)));
  const from = `FROM ${renderTable(context, row)} ${context.aliases.of(row)}`;
  const joins = renderJoins(context, row);
  const where =
    parents.length > 0
      ? chosenBy(context, bound, parents)
      : conditionOf(context, bound.filtered, bound.filter);
  const parts = [`SELECT ${columns.join(', ')}`, from, ...joins];
  return (where === undefined ? parts : [...parts, `WHERE ${where}`]).join(' ');
}
