/**
 * The operators with their precedence and associativity, for the parser. They are JavaScript's, plus `//`
 * (the root) with the precedence of `*`.
 */
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
} as const;

export type BinaryOperator = keyof typeof rules;

export type UnaryOperator = '!' | '-' | '~';

/** How a binary operator binds. */
export interface OperatorRule {
  readonly operator: BinaryOperator;
  /** Higher values bind more tightly. */
  readonly precedence: number;
  /** The lowest precedence that the right operand may have without parentheses. */
  readonly rightMinimum: number;
}

const rulesByKind: ReadonlyMap<string, OperatorRule> = new Map(Object.entries(rules));

/** The rule of the binary operator with this token kind; undefined for other kinds. */
export function binaryRule(kind: string): OperatorRule | undefined {
  return rulesByKind.get(kind);
}

export function isUnaryOperator(kind: string): kind is UnaryOperator {
  return kind === '!' || kind === '-' || kind === '~';
}

/** Whether two adjacent operators mix `??` with `&&` or `||` without parentheses. */
export function mixesCoalescing(one: BinaryOperator, other: BinaryOperator): boolean {
  return (one === '??' && isLogical(other)) || (other === '??' && isLogical(one));
}

function isLogical(operator: BinaryOperator): boolean {
  return operator === '&&' || operator === '||';
}

function leftAssociative<Operator extends string>(operator: Operator, precedence: number) {
  return { operator, precedence, rightMinimum: precedence + 1 };
}
