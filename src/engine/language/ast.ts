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

/** What all kinds of expressions have. */
interface Node<Kind extends string> {
  readonly kind: Kind;
  readonly span: Span;
}

export interface TextLiteral extends Node<'text'> {
  /** The value with resolved escapes. */
  readonly value: string;
}

export interface NumberLiteral extends Node<'number'> {
  /** The digits as written (`7`, `0.50`, `1e3`). */
  readonly text: string;
}

export interface BooleanLiteral extends Node<'boolean'> {
  readonly value: boolean;
}

export type NullLiteral = Node<'null'>;

/** A plain identifier: a lambda variable or a parameter. */
export interface NameExpression extends Node<'name'> {
  readonly name: string;
}

/** `object.name`, `object["name"]` or `object[0]` */
export interface MemberExpression extends Node<'member'> {
  readonly object: Expression;
  readonly name: string;
  /** Set if the name is in brackets, as a string or as a number. */
  readonly bracket?: 'text' | 'number';
  readonly nameSpan: Span;
}

/** `name(…)`, or `receiver.name(…)`. */
export interface CallExpression extends ClauseSyntax {
  readonly kind: 'call';
  readonly receiver: Expression | undefined;
}

export interface UnaryExpression extends Node<'unary'> {
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

/** `===`, `!==` and `<>` are represented as `==`, `!=` and `!=`. */
export interface BinaryExpression extends Node<'binary'> {
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly operatorSpan: Span;
}

export interface ConditionalExpression extends Node<'conditional'> {
  readonly test: Expression;
  readonly consequent: Expression;
  readonly alternate: Expression;
}

export interface ListExpression extends Node<'list'> {
  readonly items: readonly Expression[];
}

export interface ObjectExpression extends Node<'object'> {
  readonly entries: readonly ObjectEntry[];
}

export interface ObjectEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: Expression;
}

/** `p=>…`, `(p)=>…` or `()=>…`, for which `parameter` is undefined. */
export interface LambdaExpression extends Node<'lambda'> {
  readonly parameter: string | undefined;
  readonly body: Expression;
}
