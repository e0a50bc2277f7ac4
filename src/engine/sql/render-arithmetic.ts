/** Renders arithmetic and concatenation. */
import type { DialectOperator } from '../dialects/expression-dialect.js';
import { typeOf } from '../query/bind-operators.js';
import type { Bound, BoundBinary, BoundParameter } from '../query/logical.js';
import { slotType } from '../query/parameters.js';
import { inGroups, isInChain } from './chains.js';
import { computedType } from './digits.js';
import { type Piece, type Precedence, precedence, within } from './piece.js';
import { plainValue } from './plain-value.js';
import { placeholderFor } from './placeholders.js';
import { boundedIn, renderBound, type RenderContext } from './render-expression.js';

/** An operation that computes a number or a string from two operands. */
export interface Arithmetic extends BoundBinary {
  readonly operator: Exclude<DialectOperator, '<' | '<=' | '>' | '>='> | 'join';
}

export function renderArithmetic(context: RenderContext, bound: Arithmetic): Piece {
  const { operator } = bound;
  if (operator === 'join') return renderJoin(context, bound);
  const chain = inGroups(bound, (part) => context.named?.(part) !== undefined);
  return renderOperator(context, { ...chain, operator });
}

interface Computed extends BoundBinary {
  readonly operator: Exclude<Arithmetic['operator'], 'join'>;
}

function renderOperator(context: RenderContext, bound: Computed): Piece {
  const { operator, left, right, type } = bound;
  const own = precedenceOf(operator);
  const render = type === 'integer' ? renderWhole : renderFactor;
  const { difference } = context.dialect;
  if (difference && operator === '-' && type === 'integer' && mayBeLeast(right)) {
    const sql = difference(render(context, left, operator), render(context, right, operator));
    return { sql, precedence: own };
  }
  const isChained = own > precedence.operator && isInChain(operator, left);
  const first = isChained
    ? within(renderBound(context, left), own)
    : render(context, left, operator);
  const second = render(context, right, operator);
  const types = { left: computedType(context, left), right: computedType(context, right) };
  return { sql: context.dialect.binary(operator, first, second, types), precedence: own };
}

/** Whether an integer may be the least one of 64 bits. Columns that the schema declares as shorter are not. */
function mayBeLeast(bound: Bound): boolean {
  if (bound.kind !== 'column') return bound.kind !== 'literal';
  const { row, property } = bound;
  return row.entity.properties.some(({ name, isLong }) => name === property && isLong === true);
}

function precedenceOf(operator: Computed['operator']): Precedence {
  if (operator === '+' || operator === '-') return precedence.sum;
  return operator === '*' ? precedence.product : precedence.operator;
}

/** Renders a chain of concatenations as one call. */
function renderJoin(context: RenderContext, bound: BoundBinary): Piece {
  const parts: Bound[] = [];
  let at: Bound = bound;
  while (at.kind === 'binary' && at.operator === 'join' && (at === bound || !context.named?.(at))) {
    parts.push(at.right);
    at = at.left;
  }
  parts.push(at);
  const texts = parts
    .reverse()
    .map((part) =>
      context.dialect.textOf(renderFactor(context, part, 'join'), computedType(context, part)),
    );
  return { sql: context.dialect.join(texts), precedence: precedence.join };
}

/** Renders an operand as an integer of 64 bits. */
export function renderWhole(context: RenderContext, bound: Bound): string {
  const { dialect } = context;
  if (bound.kind === 'parameter') return dialect.integer(placeholderOf(context, bound));
  const sql = within(renderBound(context, bound), precedence.atom);
  return isShortLiteral(bound) || isWhole(bound) ? sql : dialect.integer(sql);
}

/** Whether the database treats the number as an integer; with more digits, it may not. */
function isShortLiteral(bound: Bound): boolean {
  return bound.kind === 'literal' && bound.text.length <= 18;
}

/** Whether the result has 64 bits anyway. */
function isWhole(bound: Bound): boolean {
  if (bound.kind === 'binary') return bound.type === 'integer' && bound.operator !== '??';
  return bound.kind === 'unary' && bound.type === 'integer';
}

function placeholderOf(context: RenderContext, { slot }: BoundParameter): string {
  const type = slotType(slot) ?? 'any';
  const bounded = boundedIn(context, type);
  return placeholderFor(context, { kind: 'parameter', path: slot.path, type, ...bounded });
}

/** Renders an operand. A number from the data may have any size, so no integer type may limit it. */
function renderFactor(context: RenderContext, bound: Bound, operator: string): string {
  if (bound.kind === 'parameter' && ['+', '-', '*', '/', '%'].includes(operator)) {
    return context.dialect.cast(placeholderOf(context, bound), typeOf(bound) ?? 'any');
  }
  if (bound.kind === 'null' && operator !== 'join') return nullNumber(context);
  return plainValue(context, bound, within(renderBound(context, bound), precedence.atom));
}

/** A typed null. Between two untyped nulls, the database could not choose the operator. */
export function nullNumber({ dialect }: RenderContext): string {
  return dialect.cast('NULL', 'decimal');
}
