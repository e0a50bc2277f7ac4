/** UPDATE and DELETE of rows that a condition chooses, and of those that refer to them. */
import type { Argument, Parameter } from '../../compiled-query.js';
import type { AssignedField, ChosenWrite } from '../../compiled-write.js';
import { invariant } from '../../errors.js';
import { parametersOfSlots, slotType } from '../../query/parameters.js';
import type { Bound, BoundColumn, RowSource } from '../../query/logical.js';
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
  /** What is told of it, where that is not its text. */
  readonly shown?: string;
  readonly before?: ChosenWrite['before'];
  readonly keyParts?: number;
  readonly after?: ChosenWrite['after'];
}

/** Renders the statement; `parents` are the writes that its rows are chosen through, the root first. */
export function renderChosen(
  bound: BoundChosenWrite,
  parents: readonly WrittenLevel[],
  options: ChosenOptions,
): RenderedChosen {
  if (parents.length === 0 && isChosenFirst(bound)) return renderDeletedByKey(bound, options);
  const { aliases, returned, isHidden } = options;
  const { row, action, assignments } = bound;
  const context = contextOf(bound, options);
  const { dialect } = context;
  const own = writeDialectOf(dialect.name);
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
      : selectBefore(contextOf(bound, options), bound, { parents, returned: selected });
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

function contextOf({ row }: BoundChosenWrite, { aliases, isHidden }: ChosenOptions) {
  const dialect = dialectOf(row.location.source.dialect);
  const plain: SentenceContext = { dialect, aliases, arguments: [] };
  return isHidden ? { ...plain, isHidden } : plain;
}

/**
 * Whether the rows of a delete are chosen, and locked, by a statement before: what refers to them is
 * deleted first, and then their condition need not hold any more.
 */
function isChosenFirst(bound: BoundChosenWrite): boolean {
  const { action, row, filter, keyedBy, inclusions } = bound;
  const isUnsettled = (filter !== undefined && !keyedBy) || row.guards.length > 0;
  const hasKey = row.location.entity.primaryKey.length > 0;
  return action === 'delete' && inclusions.length > 0 && hasKey && isUnsettled;
}

/** What is told of the rows that are chosen first: their key, and where relations start from. */
function chosenColumns({ row, inclusions }: BoundChosenWrite): readonly string[] {
  const starts = inclusions.map(({ relation }) => relation.from);
  return [...new Set([...row.location.entity.primaryKey, ...starts])];
}

function renderDeletedByKey(bound: BoundChosenWrite, options: ChosenOptions): RenderedChosen {
  const { row } = bound;
  const own = contextOf(bound, options);
  const before = selectBefore(own, bound, { parents: [], returned: chosenColumns(bound) });
  const told = contextOf(bound, options);
  const context = contextOf(bound, options);
  const head = (at: SentenceContext) =>
    writeDialectOf(at.dialect.name).deleteFrom(renderTable(at, row), at.aliases.of(row));
  const keys = row.location.entity.primaryKey.map((name) => requiredColumn(row, name));
  const [only, other] = keys;
  const where =
    only && !other
      ? amongChosen(context, only, 0)
      : keys.map((key, part) => isKeyPart(context, key, part)).join(' AND ');
  const condition = chosenBy(told, bound, []);
  return {
    text: `${head(context)} WHERE ${where}`,
    shown: head(told) + (condition === undefined ? '' : ` WHERE ${condition}`),
    ...(before && { before }),
    ...(other && { keyParts: keys.length }),
    arguments: context.arguments,
    parameters: parametersOf(own.arguments),
    assigned: [],
  };
}

/** A column is among those of the rows that were chosen. */
function amongChosen(context: SentenceContext, key: BoundColumn, column: number): string {
  const { type } = key;
  const { amongKeys } = context.dialect;
  invariant(amongKeys, 'a dialect that is written to takes lists of keys');
  const placeholder = placeholderFor(context, { kind: 'parentKeys', type, column });
  return amongKeys(renderColumn(context, key), placeholder, type);
}

function isKeyPart(context: SentenceContext, key: BoundColumn, part: number): string {
  const { type } = key;
  const sql = placeholderFor(context, { kind: 'keyPart', type, part });
  const value = context.dialect.compared({ sql, type, isLiteral: false }, { type, isColumn: true });
  return `${renderColumn(context, key)} = ${value}`;
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
  if (level && parents.length === 1 && isChosenFirst(level.parent)) {
    const column = chosenColumns(level.parent).indexOf(level.from);
    const among = amongChosen(context, requiredColumn(row, level.to), column);
    return [among, ...renderRowConditions(context, row)].join(' AND ');
  }
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
