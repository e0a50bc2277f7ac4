/**
 * Renders bound expressions. Values of the expression and of the data become placeholders; only
 * numbers, booleans, NULL and names from the schema become part of the SQL text.
 */
import type { Argument } from '../compiled-query.js';
import { typeOf } from '../query/bind-operators.js';
import type {
  Bound,
  BoundBinary,
  BoundCall,
  BoundColumn,
  BoundUnary,
  RowSource,
} from '../query/logical.js';
import { rowConditions } from '../query/rows.js';
import { isNumeric } from '../query/types.js';
import type { PropertyType } from '../schema/model.js';
import type { Aliases } from './aliases.js';
import { isTextWithoutColumn } from './collation.js';
import { isApproximate } from './digits.js';
import type { Dialect } from '../dialects/dialect.js';
import { areOfOneEnum, plainChoice, plainValue } from './plain-value.js';
import { atom, operator, type Piece, precedence, type Precedence, within } from './piece.js';
import { type KnownArgument, placeholderFor } from './placeholders.js';
import { isGiven, someWithin } from '../query/same-bound.js';
import { renderAggregate } from './render-aggregate.js';
import { nullNumber, renderArithmetic, renderWhole } from './render-arithmetic.js';
import { renderCall } from './render-call.js';
import { renderElement, renderJsonPath, renderTuple } from './render-part.js';
import { renderSubselect } from './render-subselect.js';
import type { ComparedWith } from '../dialects/expression-dialect.js';
import { quoteTable } from '../dialects/table-name.js';

/** The state of rendering one statement. `arguments` has the order of its placeholders. */
export interface RenderContext {
  readonly dialect: Dialect;
  readonly aliases: Aliases;
  readonly arguments: Argument[];
  /** Returns the SQL of an argument, if it is not the next placeholder. */
  readonly placeholderOverride?: (argument: Argument) => string;
  /** The arguments so far, where an equal argument must be rendered as the same placeholder. */
  readonly known?: Map<string, readonly KnownArgument[]>;
  /** Returns the SQL of a column, if it is not `alias.Column`. */
  readonly columnText?: (column: BoundColumn) => string;
  /** Returns the SQL of an expression that already has a name. */
  readonly named?: (bound: Bound) => string | undefined;
  /** The context of the arguments of aggregates, if it differs: they are computed from rows, and not from groups. */
  readonly aggregated?: RenderContext;
  /** Whether the rows are groups, or distinct rows that are selected as groups. */
  readonly isGrouped?: true;
  /** Whether the expression is within a sub-select over a relation. */
  readonly isInSubselect?: true;
  /** Whether grouping keys are written again, which PostgreSQL does not recognize in a sub-select. */
  readonly repeatsKeys?: true;
  /** Whether a column must be redacted; without a property, whether the table must be. */
  readonly isHidden?: IsHidden | undefined;
  /** Whether columns of dates are returned as they are stored, also dates without a day. */
  readonly keepsDates?: true | undefined;
}

/** Renders a condition of a WHERE clause so that AND can join it to others. */
export function renderCondition(context: RenderContext, condition: Bound): string {
  return within(renderBound(context, condition), precedence.and);
}

/** Renders an expression as a column of the SELECT list. */
export function renderValue(context: RenderContext, value: Bound): string {
  return renderBound(context, value).sql;
}

/** Renders an expression as it is returned: binary data as base64. */
export function renderAnswered(context: RenderContext, value: Bound, render = renderValue): string {
  const sql = render(context, value);
  const type = typeOf(value);
  if (type === 'binary') return context.dialect.base64(sql);
  return context.keepsDates && value.kind === 'column' ? asStoredDate(context, value, sql) : sql;
}

/** The SQL of a value so that a date without a year, a month or a day is not returned as null. */
export function asStoredDate({ dialect }: RenderContext, value: Bound, sql: string): string {
  const type = typeOf(value);
  const isDate = type === 'date' || type === 'dateTime';
  return isDate && dialect.storedDate ? dialect.storedDate(sql) : sql;
}

/** Renders an expression so that it needs no parentheses beside any operator or cast. */
export function renderOperand(context: RenderContext, value: Bound): string {
  return within(renderBound(context, value), precedence.atom);
}

/** Renders a key by which rows are compared or sorted: a string without a column by code point. */
export function renderKey(context: RenderContext, value: Bound): string {
  if (!isKeyByCodePoint(value)) return renderValue(context, value);
  return context.dialect.byCodePoint(renderOperand(context, value));
}

/** Whether rows are compared by the code points of this string. */
export function isKeyByCodePoint(value: Bound): boolean {
  return !isGiven(value) && isTextWithoutColumn([value]);
}

/**
 * Renders a value that the database stores in a temporary table (DISTINCT, GROUP BY, UNION). There MariaDB would store
 * one `tinytext` of a sub-select for all rows (10.11).
 */
export function renderMaterialized(context: RenderContext, value: Bound): string {
  const { keepKey, materialized } = context.dialect;
  if (value.kind === 'subselect' && value.type === 'string') {
    return keepKey(renderKey(context, value));
  }
  const isComputed = value.kind !== 'column' && !isGiven(value);
  return materialized && isComputed && typeOf(value) === 'decimal' && !isApproximate(value)
    ? materialized(renderValue(context, value))
    : renderKey(context, value);
}

/** Whether a view hides the entity of a row, or one of its properties. */
export type IsHidden = (row: RowSource, property?: string) => boolean;

/** Replaces a redacted name. It cannot occur in SQL. */
export const HIDDEN = '…';

export function renderTable({ dialect, isHidden }: RenderContext, row: RowSource): string {
  return isHidden?.(row) ? HIDDEN : quoteTable(dialect, row.location.entity.mapping);
}

/** A column as `alias.Column`. */
export function renderColumn(context: RenderContext, bound: BoundColumn): string {
  if (context.columnText) return context.columnText(bound);
  if (context.isHidden?.(bound.row, bound.property))
    return `${context.aliases(bound.row)}.${HIDDEN}`;
  const { row, column } = bound;
  return `${context.aliases(row)}.${context.dialect.quoteName(column)}`;
}

/**
 * A column in an expression. In a prepared statement, MariaDB crashes (10.11) on NOT before a column of an outer row
 * within a sub-select that is a grouping key.
 */
function renderOwn(context: RenderContext, bound: BoundColumn): string {
  const sql = renderColumn(context, bound);
  const isInKey = context.isInSubselect && context.isGrouped && bound.type === 'boolean';
  return isInKey ? context.dialect.keepKey(sql) : sql;
}

/** Renders an expression to SQL with its precedence. */
export function renderBound(context: RenderContext, bound: Bound): Piece {
  const name = context.named?.(bound);
  if (name !== undefined) return atom(name);
  switch (bound.kind) {
    case 'column':
      return atom(renderOwn(context, bound));
    case 'reading':
      return renderBound(context, bound.stored);
    case 'null':
      return atom('NULL');
    case 'parameter':
    case 'literal':
      return renderConstant(context, bound);
    case 'unary':
      return renderUnary(context, bound);
    case 'binary':
      return renderBinary(context, bound);
    case 'call':
      return renderedCall(context, bound);
    case 'list':
      return atom(`(${bound.items.map((item) => renderBound(context, item).sql).join(', ')})`);
    case 'tuple':
      return atom(renderTuple(context, bound));
    case 'jsonPath':
      return atom(renderJsonPath(context, bound));
    case 'element':
      return atom(renderElement(context, bound));
    case 'aggregate':
      return atom(renderAggregate(context, bound));
    case 'subselect':
      return atom(renderSubselect(context, bound));
    case 'conditional': {
      const test = renderBound(context, bound.test).sql;
      const [consequent, alternate] = renderEach(context, [bound.consequent, bound.alternate]);
      return atom(`CASE WHEN ${test} THEN ${consequent} ELSE ${alternate} END`);
    }
  }
}

/** The conditions for a visible row of the entity, to be joined by AND. */
export function renderRowConditions(context: RenderContext, row: RowSource): string[] {
  return rowConditions(row).map((each) => renderCondition(context, each));
}

function renderedCall(context: RenderContext, call: BoundCall): Piece {
  const sql = renderCall(context, call);
  return call.signature.group === 'comparison'
    ? { sql, precedence: precedence.comparison }
    : atom(sql);
}

type Constant = Extract<Bound, { kind: 'parameter' | 'literal' }>;

/** Renders a constant, with a cast unless the database infers its type from the operand `beside` it. */
function renderConstant(context: RenderContext, bound: Constant, beside?: Bound): Piece {
  if (bound.kind === 'literal' && bound.type === 'boolean') {
    return atom(bound.text === 'true' ? 'TRUE' : 'FALSE');
  }
  if (bound.kind === 'literal' && /^-?[\d.]/.test(bound.text) && isNumeric(bound.type)) {
    const sql = context.dialect.numberLiteral(bound.text);
    return sql.startsWith('-') ? operator(sql) : atom(sql);
  }
  const type = typeOf(bound) ?? 'any';
  const sql = placeholderFor(
    context,
    bound.kind === 'literal'
      ? { kind: 'literal', text: bound.text, type }
      : {
          ...{ kind: 'parameter', path: bound.slot.path, type },
          ...(bound.isJson && { isJson: true }),
          ...(!beside && boundedIn(context, type)),
        },
    beside,
  );
  return atom(beside ? sql : context.dialect.cast(sql, type));
}

/** Marks an argument that is cast to `type` if the database limits values of that type. */
export function boundedIn(
  { dialect }: RenderContext,
  type: PropertyType,
): { readonly isBounded?: true } {
  return dialect.bounded && type === 'decimal' ? { isBounded: true } : {};
}

function renderUnary(context: RenderContext, bound: BoundUnary): Piece {
  const { operator: symbol, operand, type } = bound;
  if (symbol === '!') {
    const inner = within(renderBound(context, operand), precedence.not);
    return { sql: `NOT ${inner}`, precedence: precedence.not };
  }
  if (operand.kind === 'null') {
    const sql = type === 'integer' ? context.dialect.integer('NULL') : nullNumber(context);
    return operator(`- ${sql}`);
  }
  if (type !== 'integer' || typeOf(operand) !== 'integer') {
    const inner = plainValue(context, operand, renderOperand(context, operand));
    return operator(symbol === '-' ? `- ${inner}` : context.dialect.complement(inner));
  }
  const { negated, complement } = context.dialect;
  return operator((symbol === '-' ? negated : complement)(renderWhole(context, operand)));
}

function renderBinary(context: RenderContext, bound: BoundBinary): Piece {
  switch (bound.operator) {
    case '&&':
      return renderLogical(context, bound, 'AND', precedence.and);
    case '||':
      return renderLogical(context, bound, 'OR', precedence.or);
    case '??':
      return atom(`COALESCE(${renderChoices(context, bound).join(', ')})`);
    case '==':
    case '!=':
      return renderEquality(context, bound, bound.operator === '==');
    case '<':
    case '<=':
    case '>':
    case '>=':
      return renderComparison(context, bound, bound.operator);
    default:
      return renderArithmetic(context, { ...bound, operator: bound.operator });
  }
}

/** Renders the operands of `a ?? b ?? c`. */
function renderChoices(context: RenderContext, { left, right }: BoundBinary): string[] {
  const choices: Bound[] = [right];
  let at = left;
  while (at.kind === 'binary' && at.operator === '??' && !context.named?.(at)) {
    choices.push(at.right);
    at = at.left;
  }
  return renderEach(context, [...choices, at].reverse());
}

/** The possible values of an expression, which must have the same type. */
function renderEach(context: RenderContext, choices: readonly Bound[]): string[] {
  return choices.map((each) => plainChoice(context, each, renderBound(context, each).sql, choices));
}

function renderLogical(
  context: RenderContext,
  { left, right }: BoundBinary,
  word: 'AND' | 'OR',
  own: Precedence,
): Piece {
  const first = within(renderBound(context, left), own);
  return { sql: `${first} ${word} ${within(renderBound(context, right), own)}`, precedence: own };
}

function renderEquality(context: RenderContext, bound: BoundBinary, isEqual: boolean): Piece {
  const { left, right } = bound;
  if (right.kind !== 'null' && left.kind !== 'null') {
    return renderComparison(context, bound, isEqual ? '=' : '<>');
  }
  const other = right.kind === 'null' ? left : right;
  const side = within(renderBound(context, other), precedence.operator);
  if (mayBeInNothing(other))
    return atom(`CASE WHEN ${side} IS NULL THEN ${isEqual} ELSE ${!isEqual} END`);
  return { sql: `${side} IS ${isEqual ? '' : 'NOT '}NULL`, precedence: precedence.comparison };
}

/** Whether it compares with a list of the data: see `isCondition` in the functions of PostgreSQL. */
function mayBeInNothing(bound: Bound): boolean {
  return someWithin(
    bound,
    (part) =>
      part.kind === 'call' &&
      ['in', 'includes'].includes(part.signature.name) &&
      part.arguments.some(({ kind }) => kind === 'parameter'),
  );
}

/**
 * Renders a comparison. A placeholder beside a typed expression needs no cast: the database infers its
 * type.
 */
function renderComparison(context: RenderContext, bound: BoundBinary, symbol: string): Piece {
  const isByCodePoint = isTextWithoutColumn([bound.left, bound.right]);
  const left = isByCodePoint
    ? context.dialect.byCodePoint(renderOperand(context, bound.left))
    : renderBeside(context, bound.left, bound.right, symbol);
  const right = renderBeside(context, bound.right, bound.left, symbol);
  return { sql: `${left} ${symbol} ${right}`, precedence: precedence.comparison };
}

/** Renders an expression beside one from which the database infers the type of a placeholder. */
export function renderBeside(
  context: RenderContext,
  side: Bound,
  other: Bound,
  symbol?: string,
): string {
  if (!isConstant(side)) {
    const sql = within(renderBound(context, side), precedence.operator);
    if (symbol === '=' && side.kind === 'column' && isNumeric(side.type)) {
      return context.dialect.equatedColumn({ sql, type: side.type }, comparedWith(other));
    }
    return areOfOneEnum([side, other]) ? sql : plainValue(context, side, sql);
  }
  const beside = hasOwnType(other) ? other : undefined;
  const sql = within(renderConstant(context, side, beside), precedence.operator);
  const type = typeOf(side) ?? 'any';
  if (!beside || type === 'any') return sql;
  const constant = { sql, type, isLiteral: side.kind === 'literal' };
  return context.dialect.compared(constant, comparedWith(other));
}

/** What the rendering of a constant needs to know about the other operand. */
export function comparedWith(bound: Bound): ComparedWith {
  const type = typeOf(bound) ?? 'any';
  return { type, isColumn: bound.kind === 'column', isConstant: isConstant(bound) };
}

function isConstant(bound: Bound): bound is Constant {
  return bound.kind === 'parameter' || bound.kind === 'literal';
}

/** Whether the database knows the type of the expression without a cast. */
export function hasOwnType(bound: Bound): boolean {
  if (bound.kind === 'literal') return isNumeric(bound.type) || bound.type === 'boolean';
  return bound.kind !== 'parameter' && bound.kind !== 'null';
}
