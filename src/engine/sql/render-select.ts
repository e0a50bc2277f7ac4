/** Renders bound selects. */
import { primaryKeySort } from '../query/bind-sort.js';
import { typeOf } from '../query/bind-operators.js';
import { allOf } from '../query/bind-lambda.js';
import { hasAggregate } from '../query/groups.js';
import type {
  Bound,
  BoundColumn,
  BoundLimit,
  BoundSelect,
  BoundSortKey,
} from '../query/logical.js';
import { anyGroup, guardFilter, guardHaving } from '../query/guard-by-case.js';
import { sameBound, somePart } from '../query/same-bound.js';
import {
  aliasOf,
  groupedValues,
  isBinaryKey,
  isComputedKey,
  isCursorPart,
  isNamedKey,
  type Output,
} from './outputs.js';
import { atomsOf, hasRowFunction, overAtoms } from './group-atoms.js';
import { readsOthers, renderOrder } from './render-order.js';
import {
  asStoredDate,
  renderAnswered,
  renderColumn,
  renderCondition,
  renderKey,
  renderRowConditions,
  renderTable,
  renderMaterialized,
  renderValue,
  type RenderContext,
} from './render-expression.js';
import { renderJoins } from './render-joins.js';
import { joinedValues, namingJoined, renderJoined } from './row-tables.js';
import { renderLimit, renderRange } from './render-limit.js';
import { renderBatchKeys, renderParentKeys } from './render-key-lists.js';

/** A select with its columns and, in an include, those that contain its parent's key. */
export interface SelectParts {
  readonly select: BoundSelect;
  readonly outputs: readonly Output[];
  readonly parentKey?: readonly BoundColumn[] | undefined;
  /** Whether to render the key condition so that it uses an index that begins with the key. */
  readonly byIndex?: boolean;
  /** Whether the text is shown and not executed. */
  readonly isShown?: boolean;
  /** The column that is compared with the keys of a batch. */
  readonly batchKey?: BoundColumn;
  /** Whether the statement is part of a UNION. */
  readonly isUnited?: boolean;
  /** The SQL of an additional column after all others. */
  readonly ordinal?: string;
  /** A table before the select's own in FROM, and the condition that joins them. */
  readonly joinedTo?: JoinedTo;
  /** In an include: whether a parent may have several rows. */
  readonly many?: boolean | undefined;
}

/** A table before that of the select, as in `table STRAIGHT_JOIN … ON on`. */
export interface JoinedTo {
  /**
   * Called when the table is written, because its arguments follow those that come before it in the
   * text.
   */
  readonly table: () => string;
  readonly on: string;
}

/** The text of a statement. Its arguments are added to the context in the order of the text. */
export function renderSelect(given: RenderContext, parts: SelectParts): string {
  const { select } = parts;
  const isGrouped = select.grouped || mayLoseOffset(given, parts);
  const context = isGrouped ? { ...given, isGrouped: true as const } : given;
  if (select.counted) return renderCount(context, parts);
  if (select.limit && isCutByWindow(parts)) {
    return renderLimitedPerParent(context, parts, select.limit);
  }
  return renderRows(context, parts);
}

/** Whether the limit applies to the rows of each parent. */
function isCutByWindow({ select, parentKey }: SelectParts): boolean {
  return parentKey !== undefined && select.limit !== undefined;
}

function renderRows(context: RenderContext, given: SelectParts): string {
  const parts = mayLoseOffset(context, given) ? asGroups(given) : given;
  const { select } = parts;
  const source = sourceOf(context, parts);
  const list = [...source.list(), ...ordinalOf(parts)];
  return [
    `SELECT ${select.distinct ? 'DISTINCT ' : ''}${list.join(', ')}`,
    ...source.body(),
    ...renderOrder(source.computed, sortOf(parts), {
      row: select.grouped || select.distinct ? undefined : select.row,
      filter: select.filter,
    }),
    ...(select.limit ? [renderLimit(context, select.limit)] : []),
  ].join(' ');
}

/** What is selected from: the functions are called in the order of the text. */
interface Source {
  /** The context of what is computed from its columns. */
  readonly computed: RenderContext;
  list(): string[];
  /** FROM and the clauses after it, up to HAVING. */
  body(): string[];
}

function sourceOf(context: RenderContext, parts: SelectParts): Source {
  const { select, outputs } = parts;
  const having = havingOf(select);
  const read = [...outputs, ...select.sort].map(({ value }) => value);
  const values = having ? [...read, having] : read;
  const keys = outputs.filter((output) => isKey(context, output)).flatMap(groupedValues);
  const atoms = select.grouped ? atomsOf(values, keys) : [];
  if (select.grouped && values.some((value) => hasRowFunction(context.dialect, value, keys)))
    return overGroups(context, parts, atoms);
  const joined = joinedValues(
    context.dialect,
    atoms.map(({ value }) => value),
  );
  const own = joined.length === 0 ? context : namingJoined(context, joined);
  return {
    computed: namingCollated(own, parts),
    list: () => renderList(own, parts),
    body: () => renderBody(own, parts, () => renderJoined(context, joined)),
  };
}

/** The groups in a sub-select, and what is computed from them around it. */
function overGroups(context: RenderContext, parts: SelectParts, atoms: readonly Output[]): Source {
  const { dialect } = context;
  const { select, outputs, ordinal: _ordinal, ...others } = parts;
  const computed = overAtoms(context, atoms);
  const having = havingOf(select);
  const { after: _after, ...all } = select;
  const inner = { ...all, having: undefined, sort: [], limit: undefined };
  return {
    computed,
    list: () =>
      outputs.map((output) => {
        const sql = renderOutput(computed, output);
        return `${sql} AS ${dialect.quoteAlias(aliasOf(output))}`;
      }),
    body: () => [
      `FROM (${renderRows(context, { ...others, select: inner, outputs: atoms })}) g`,
      ...(having ? [`WHERE ${renderCondition(computed, having)}`] : []),
    ],
  };
}

/** The condition on groups, with that of a page after a cursor. */
function havingOf({ row, having, after }: BoundSelect): Bound | undefined {
  const all = allOf([having, after?.condition]);
  return all && guardHaving(row, all);
}

/** Whether these are distinct rows whose OFFSET the database may ignore. */
function mayLoseOffset({ dialect }: RenderContext, { select }: SelectParts): boolean {
  return dialect.losesOffset && select.distinct && !select.grouped && select.limit?.kind === 'page';
}

/** Groups without aggregates are the same rows as the distinct ones. */
function asGroups(parts: SelectParts): SelectParts {
  return { ...parts, select: { ...parts.select, distinct: false, grouped: true } };
}

/** Renders a count. Only distinct, grouped or limited rows need a sub-select to be counted. */
function renderCount(context: RenderContext, parts: SelectParts): string {
  const { select } = parts;
  const column = `COUNT(*) AS ${context.dialect.quoteAlias('count')}`;
  const count = [column, ...ordinalOf(parts)].join(', ');
  if (!select.distinct && !select.grouped && !select.limit) {
    return [`SELECT ${count}`, ...renderBody(context, parts)].join(' ');
  }
  const { ordinal: _, ...inner } = parts;
  return `SELECT ${count} FROM (${renderRows(context, inner)}) t`;
}

function ordinalOf({ ordinal }: SelectParts): readonly string[] {
  return ordinal === undefined ? [] : [ordinal];
}

/** Renders a select that numbers the rows of each parent and returns those within the limit. */
function renderLimitedPerParent(
  context: RenderContext,
  parts: SelectParts,
  limit: BoundLimit,
): string {
  const { dialect } = context;
  const { computed, list, body } = sourceOf(context, parts);
  const { parentKey = [] } = parts;
  const parent = parentKey.map((column) => renderColumn(computed, column)).join(', ');
  const columns = list();
  const order = renderOrder(computed, withoutAliases(sortOf(parts))).join('');
  const number = dialect.quoteAlias('__row');
  const window = `ROW_NUMBER() OVER (PARTITION BY ${parent} ${order}) AS ${number}`;
  const inner = [`SELECT ${[...columns, window].join(', ')}`, ...body()].join(' ');
  const names = parts.outputs.map((each) => `t.${dialect.quoteAlias(aliasOf(each))}`);
  const within = renderRange(context, limit, `t.${number}`);
  return `SELECT ${names.join(', ')} FROM (${inner}) t WHERE ${within} ORDER BY t.${number}`;
}

function renderList(context: RenderContext, parts: SelectParts): string[] {
  const { dialect } = context;
  const { select, outputs, isShown } = parts;
  const { grouped, sort } = select;
  const isMaterialized = mayBeMaterialized(parts);
  const aggregated = namingCollated(context, parts);
  return outputs.map((output) => {
    const isGroupKey = grouped && isKey(context, output);
    const isSorted = sort.some((key) => key.output === output.name);
    const render =
      isMaterialized || isGroupKey ? renderMaterialized : isSorted ? renderKey : renderValue;
    const own = isGroupKey ? context : aggregated;
    const sql = renderOutput(own, output, render);
    // The key of a group must remain its column.
    const isText = isShown !== true && !isGroupKey && isTextLink(output);
    const answered = isText ? dialect.plain(sql, 'string') : sql;
    return `${answered} AS ${dialect.quoteAlias(aliasOf(output))}`;
  });
}

/** Renders a column of the list. A cursor needs a date as it is stored, or its rows would follow null. */
function renderOutput(context: RenderContext, output: Output, render?: typeof renderValue): string {
  const sql = renderAnswered(context, output.value, render);
  return isCursorPart(output) ? asStoredDate(context, output.value, sql) : sql;
}

/** Whether it is a key of included rows that may be a `char(n)`, whose trailing blanks are no part of it. */
export function isTextLink({ isLink, value }: Output): boolean {
  return isLink === true && typeOf(value) === 'string';
}

/**
 * Whether the database may store the rows in a temporary table, whose columns have a fixed number of
 * digits.
 */
function mayBeMaterialized(parts: SelectParts): boolean {
  const { select, isUnited } = parts;
  if (select.distinct || isCutByWindow(parts) || isUnited === true) return true;
  // The columns of groups have the digits of the aggregated values anyway.
  if (select.grouped) return false;
  const hasCursor = select.includes.length > 0;
  const isJoined = select.row.joins.size > 0 || readsOthers(select.row, select.filter);
  return hasCursor || (isJoined && sortOf(parts).length > 0);
}

/** FROM, joins, WHERE, GROUP BY and HAVING. */
function renderBody(
  context: RenderContext,
  parts: SelectParts,
  joined: () => string[] = () => [],
): string[] {
  const { select, joinedTo } = parts;
  const { row, grouped } = select;
  const own = `${renderTable(context, row)} ${context.aliases(row)}`;
  const table = joinedTo ? `${joinedTo.table()} STRAIGHT_JOIN ${own} ON ${joinedTo.on}` : own;
  const joins = [...renderJoins(context, row), ...joined()];
  const where = renderWhere(context, parts);
  const groups = grouped ? groupKeys(context, parts) : [];
  const isOneGroup = grouped && groups.length === 0 && parts.outputs.some(isNullOfGroup);
  const having = grouped ? allOf([havingOf(select), isOneGroup ? anyGroup : undefined]) : undefined;
  return [
    `FROM ${table}`,
    ...joins,
    ...where,
    ...(groups.length > 0 ? [`GROUP BY ${groups.join(', ')}`] : []),
    ...(having ? [`HAVING ${renderCondition(namingKeys(context, parts), having)}`] : []),
  ];
}

/** Whether it contains an aggregate of nulls, which the SQL does not. */
function isNullOfGroup({ value }: Output): boolean {
  return somePart(value, (part) => part.kind === 'null' && part.aggregate !== undefined);
}

/**
 * The context for HAVING. Where placeholders cannot be repeated, computed grouping keys are referred to by
 * their column names, because MariaDB does not recognize a key that is written again.
 */
function namingKeys(context: RenderContext, parts: SelectParts): RenderContext {
  const { dialect } = context;
  if (dialect.repeatsPlaceholders) return namingCollated(context, parts);
  const keys = parts.outputs.filter(isNamedKey);
  const named = naming(context, keys, (key) => dialect.quoteAlias(aliasOf(key)));
  return { ...named, aggregated: context };
}

/**
 * The context for what is computed from grouping keys: PostgreSQL recognizes a key that is written again
 * only with its collation, binary data only as base64, and AND beside AND only in a call. A key that contains
 * another one is written as it is.
 */
function namingCollated(context: RenderContext, { select, outputs }: SelectParts): RenderContext {
  if (!select.grouped || !context.dialect.repeatsPlaceholders) return context;
  const keys = outputs.filter((output) => isKey(context, output) && isNamedKey(output));
  const repeating: RenderContext = { ...context, repeatsKeys: true };
  if (keys.length === 0) return repeating;
  return naming(repeating, keys, ({ value }) => {
    const sql = `(${renderAnswered(context, value, renderKey)})`;
    return isLogical(value) ? `COALESCE${sql}` : sql;
  });
}

function naming(
  context: RenderContext,
  keys: readonly Output[],
  sqlOf: (key: Output) => string,
): RenderContext {
  const named = (bound: Bound): string | undefined => {
    const key = keys.find(({ value }) => sameBound(value, bound));
    if (!key) return context.named?.(bound);
    const sql = sqlOf(key);
    return isBinaryKey(key.value) ? context.dialect.ofBase64(sql) : sql;
  };
  return { ...context, named };
}

function isLogical(value: Bound): boolean {
  return value.kind === 'binary' && ['&&', '||'].includes(value.operator);
}

function renderWhere(context: RenderContext, parts: SelectParts): string[] {
  const { select, parentKey, batchKey } = parts;
  const { row, filter } = select;
  const conditions: string[] = [];
  if (parentKey !== undefined)
    conditions.push(renderParentKeys(context, parentKey, parts.byIndex === true));
  if (batchKey) conditions.push(renderBatchKeys(context, batchKey));
  conditions.push(...renderRowConditions(context, row));
  const own = select.grouped ? filter : allOf([filter, select.after?.condition]);
  if (own) conditions.push(renderCondition(context, guardFilter(row, own)));
  return conditions.length === 0 ? [] : [`WHERE ${conditions.join(' AND ')}`];
}

/**
 * Grouping keys by position, because the database does not recognize an expression with a placeholder
 * when it is written again.
 */
function groupKeys(context: RenderContext, { select, outputs }: SelectParts): string[] {
  const keys = outputs.flatMap((output, index) => {
    if (!isKey(context, output)) return [];
    return groupedValues(output).map((value) =>
      value === output.value ? `${index + 1}` : renderValue(context, value),
    );
  });
  const { constantKey } = context.dialect;
  if (constantKey === undefined || !outputs.some(({ value }) => isComputedKey(value))) return keys;
  const values = [...outputs, ...select.sort].map(({ value }) => value);
  const all = select.having ? [...values, select.having] : values;
  const isDistinct = (part: Bound) => part.kind === 'aggregate' && part.distinct;
  return all.some((value) => somePart(value, isDistinct)) ? [...keys, constantKey] : keys;
}

/**
 * Whether rows are grouped by a column of the statement. The parts of a cursor that are computed from other keys could
 * divide groups of equal texts, such as those of a `citext`.
 */
function isKey({ dialect }: RenderContext, output: Output): boolean {
  if (hasAggregate(output.value)) return false;
  return !dialect.repeatsPlaceholders || !isCursorPart(output);
}

/** The sort keys of a statement. Children without a sort are ordered by their primary key. */
function sortOf({ select, outputs, parentKey, many }: SelectParts): readonly BoundSortKey[] {
  const isPlain = !select.grouped && !select.distinct;
  const isUnsortedChild = select.sort.length === 0 && parentKey !== undefined && many === true;
  return isUnsortedChild && isPlain ? primaryKeySort(select.row) : byAlias(select.sort, outputs);
}

/** The sort keys with the SQL names of the columns that they refer to. */
function byAlias(
  sort: readonly BoundSortKey[],
  outputs: readonly Output[],
): readonly BoundSortKey[] {
  return sort.map((key) => {
    const named = outputs.find(({ name }) => name === key.output);
    return named?.alias === undefined ? key : { ...key, output: named.alias };
  });
}

/** The sort keys without column names, which a window function cannot refer to. */
function withoutAliases(sort: readonly BoundSortKey[]): readonly BoundSortKey[] {
  return sort.map((key) => ({ ...key, output: undefined }));
}
