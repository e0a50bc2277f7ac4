/** Reads unary and binary operators between operands, by precedence climbing. */
import type { EngineError } from '../errors.js';
import type { BinaryOperator, Expression } from './ast.js';
import { binaryRule, isUnaryOperator, mixesCoalescing } from './operators.js';
import { syntaxError } from './source.js';
import type { TokenCursor } from './token-cursor.js';
import type { Token } from './tokens.js';

export type OperandReader = (cursor: TokenCursor) => Expression;

/**
 * Reads operands and the operators between them that have at least the precedence `minimum`. A chain of equal precedence is a loop. Only
 * a right-associative operator recurses on its own level, so only it counts as nesting.
 */
export function readOperators(
  cursor: TokenCursor,
  readOperand: OperandReader,
  minimum = 0,
): Expression {
  const first = cursor.token;
  let left = readUnary(cursor, readOperand);
  let previous: BinaryOperator | undefined;
  for (;;) {
    const token = cursor.token;
    const rule = binaryRule(token.kind);
    if (rule === undefined || rule.precedence < minimum) return left;
    if (previous === undefined) rejectSignedPower(cursor, first);
    else rejectMixedCoalescing(cursor, previous, rule.operator);
    cursor.advance();
    const recurses = rule.rightMinimum === rule.precedence;
    if (recurses) cursor.enter();
    const right = readOperators(cursor, readOperand, rule.rightMinimum);
    if (recurses) cursor.leave();
    left = {
      kind: 'binary',
      operator: rule.operator,
      left,
      right,
      operatorSpan: { start: token.start, end: token.end },
      span: cursor.spanFrom(first.start),
    };
    previous = rule.operator;
  }
}

function readUnary(cursor: TokenCursor, readOperand: OperandReader): Expression {
  const { kind, start } = cursor.token;
  if (!isUnaryOperator(kind)) return readOperand(cursor);
  cursor.enter();
  cursor.advance();
  const operand = readUnary(cursor, readOperand);
  cursor.leave();
  return { kind: 'unary', operator: kind, operand, span: cursor.spanFrom(start) };
}

/** `-a ** b` is an error, as in JavaScript, because its meaning is unclear to readers. */
function rejectSignedPower(cursor: TokenCursor, first: Token): void {
  if (cursor.token.kind !== '**' || !isUnaryOperator(first.kind)) return;
  const sign = first.kind;
  throw ambiguous(cursor, {
    message: `The left side of '**' cannot start with '${sign}' unless in parentheses.`,
    hint: `Write '(${sign}a) ** b' or '${sign}(a ** b)'.`,
  });
}

/**
 * `a ?? b
 *
 * c` is an error, as in JavaScript, for the same reason.
 */
function rejectMixedCoalescing(
  cursor: TokenCursor,
  previous: BinaryOperator,
  operator: BinaryOperator,
): void {
  if (!mixesCoalescing(previous, operator)) return;
  throw ambiguous(cursor, {
    message: `'${previous}' and '${operator}' cannot be combined without parentheses.`,
    hint: `Write '(a ${previous} b) ${operator} c' or 'a ${previous} (b ${operator} c)'.`,
  });
}

function ambiguous(
  cursor: TokenCursor,
  fault: { readonly message: string; readonly hint: string },
): EngineError {
  const { start, end } = cursor.token;
  const span = { start, end };
  return syntaxError(fault.message, { text: cursor.text, span, hint: fault.hint });
}
