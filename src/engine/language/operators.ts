/**
 * The operators: which binds tighter, and which way those of one level associate. The parser and
 * the printer read this one table. It is JavaScript's, with `//` (the root) beside `*`.
 */
import type { BinaryOperator, UnaryOperator } from './ast.js';

/** How a binary operator binds. */
export interface OperatorRule {
  readonly operator: BinaryOperator;
  /** The higher, the tighter. */
  readonly precedence: number;
  /** The least precedence that the right operand may have without parentheses. */
  readonly rightMinimum: number;
}

const rules = {
  '||': leftAssociative('||', 1),
  // As in JavaScript's grammar, `&&` and `||` cannot be mixed with `??`: its operands start at `|`.
  '??': { operator: '??', precedence: 1, rightMinimum: 3 },
  '&&': leftAssociative('&&', 2),
  '|': leftAssociative('|', 3),
  '^': leftAssociative('^', 4),
  '&': leftAssociative('&', 5),
  '==': leftAssociative('==', 6),
  '!=': leftAssociative('!=', 6),
  '<': leftAssociative('<', 7),
  '<=': leftAssociative('<=', 7),
  '>': leftAssociative('>', 7),
  '>=': leftAssociative('>=', 7),
  '<<': leftAssociative('<<', 8),
  '>>': leftAssociative('>>', 8),
  '+': leftAssociative('+', 9),
  '-': leftAssociative('-', 9),
  '*': leftAssociative('*', 10),
  '/': leftAssociative('/', 10),
  '%': leftAssociative('%', 10),
  '//': leftAssociative('//', 10),
  '**': { operator: '**', precedence: 11, rightMinimum: 11 },
} as const satisfies Record<BinaryOperator, OperatorRule>;

/** The precedence of `!`, `-` and `~`: tighter than every binary operator. */
export const unaryPrecedence = 12;

const rulesByKind: ReadonlyMap<string, OperatorRule> = new Map(Object.entries(rules));

/** The rule of a binary operator. */
export function operatorRule(operator: BinaryOperator): OperatorRule {
  return rules[operator];
}

/** The rule of the binary operator that a token's kind is; undefined for all other kinds. */
export function binaryRule(kind: string): OperatorRule | undefined {
  return rulesByKind.get(kind);
}

/** Whether a token's kind is an operator that stands before its operand. */
export function isUnaryOperator(kind: string): kind is UnaryOperator {
  return kind === '!' || kind === '-' || kind === '~';
}

/** Whether two operators that stand side by side without parentheses mix `??` with `&&` or `||`. */
export function mixesCoalescing(one: BinaryOperator, other: BinaryOperator): boolean {
  return (one === '??' && isLogical(other)) || (other === '??' && isLogical(one));
}

function isLogical(operator: BinaryOperator): boolean {
  return operator === '&&' || operator === '||';
}

function leftAssociative(operator: BinaryOperator, precedence: number): OperatorRule {
  return { operator, precedence, rightMinimum: precedence + 1 };
}
