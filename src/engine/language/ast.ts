/**
 * The syntax tree of a query expression: its text and positions. The binder decides what names
 * mean.
 */
import type { Span } from '../errors.js';
import type { BinaryOperator, UnaryOperator } from './operators.js';

export type { BinaryOperator, UnaryOperator };

/** A whole query: an entity and its clauses in the order of the text. */
export interface QuerySyntax {
  readonly kind: 'query';
  /** The dotted name as written, e.g. `Orders.details`. */
  readonly entity: string;
  readonly entitySpan: Span;
  readonly clauses: readonly ClauseSyntax[];
}

/** One call of a chain: `.filter(p=>…)`. */
export interface ClauseSyntax {
  readonly name: string;
  readonly nameSpan: Span;
  /** The offset after the opening parenthesis. */
  readonly open: number;
  readonly arguments: readonly Expression[];
  readonly span: Span;
}

export type Expression =
  | TextLiteral
  | NumberLiteral
  | BooleanLiteral
  | NullLiteral
  | NameExpression
  | MemberExpression
  | CallExpression
  | UnaryExpression
  | BinaryExpression
  | ConditionalExpression
  | ListExpression
  | ObjectExpression
  | LambdaExpression;

export interface TextLiteral {
  readonly kind: 'text';
  /** The value with resolved escapes. */
  readonly value: string;
  readonly span: Span;
}

export interface NumberLiteral {
  readonly kind: 'number';
  /** The digits as written (`7`, `0.50`, `1e3`). */
  readonly text: string;
  readonly span: Span;
}

export interface BooleanLiteral {
  readonly kind: 'boolean';
  readonly value: boolean;
  readonly span: Span;
}

export interface NullLiteral {
  readonly kind: 'null';
  readonly span: Span;
}

/** A plain identifier: a lambda variable or a parameter. */
export interface NameExpression {
  readonly kind: 'name';
  readonly name: string;
  readonly span: Span;
}

/** `object.name`, `object["name"]` or `object[0]` */
export interface MemberExpression {
  readonly kind: 'member';
  readonly object: Expression;
  readonly name: string;
  /** Set if the name is in brackets, as a string or as a number. */
  readonly bracket?: 'text' | 'number';
  readonly nameSpan: Span;
  readonly span: Span;
}

/** `name(…)`, or `receiver.name(…)`. */
export interface CallExpression extends ClauseSyntax {
  readonly kind: 'call';
  readonly receiver: Expression | undefined;
}

export interface UnaryExpression {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
  readonly span: Span;
}

/** `===`, `!==` and `<>` are represented as `==`, `!=` and `!=`. */
export interface BinaryExpression {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly operatorSpan: Span;
  readonly span: Span;
}

export interface ConditionalExpression {
  readonly kind: 'conditional';
  readonly test: Expression;
  readonly consequent: Expression;
  readonly alternate: Expression;
  readonly span: Span;
}

export interface ListExpression {
  readonly kind: 'list';
  readonly items: readonly Expression[];
  readonly span: Span;
}

export interface ObjectExpression {
  readonly kind: 'object';
  readonly entries: readonly ObjectEntry[];
  readonly span: Span;
}

export interface ObjectEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: Expression;
}

/** `p=>…`, `(p)=>…` or `()=>…`, for which `parameter` is undefined. */
export interface LambdaExpression {
  readonly kind: 'lambda';
  readonly parameter: string | undefined;
  readonly body: Expression;
  readonly span: Span;
}
