/** The operators of the language, as functions. */
import type {
  AnyOperand,
  ArrayExpression,
  Comparable,
  Expression,
  Integer,
  JsonExpression,
  KindOf,
  NullOf,
  NumberKind,
  Numeric,
  Truth,
  Wider,
} from './expressions.js';
import type { ItemKind } from './kinds.js';
import { argumentText, memberText, recorded } from './record.js';

type Compare = <L extends AnyOperand, R extends Comparable<L>>(
  left: L,
  right: R,
) => Expression<'boolean', NullOf<L> | NullOf<R>, never>;

/** `left == right`. Tests for null if one of them is null. */
export const eq: Compare = infix('==');
/** `left != right`. */
export const ne: Compare = infix('!=');
/** `left < right`. */
export const lt: Compare = infix('<');
/** `left <= right`. */
export const le: Compare = infix('<=');
/** `left > right`. */
export const gt: Compare = infix('>');
/** `left >= right`. */
export const ge: Compare = infix('>=');

type Connect = <T extends readonly [Truth, ...Truth[]]>(
  ...conditions: T
) => Expression<'boolean', NullOf<T[number]>, never>;

/** True if all conditions are true. */
export const and: Connect = infix('&&');
/** True if one of the conditions is true. */
export const or: Connect = infix('||');
/** `!condition`. */
export const not: <T extends Truth>(condition: T) => Expression<'boolean', NullOf<T>, never> =
  prefix('!');

type Arithmetic = <L extends Numeric | JsonExpression, R extends Numeric | JsonExpression>(
  left: L,
  right: R,
) => Expression<Wider<NumberKind<L>, NumberKind<R>>, NullOf<L> | NullOf<R>, never>;

/** Like `Arithmetic`, but never an integer, and null for some operands. */
type Fractional = <L extends Numeric | JsonExpression, R extends Numeric | JsonExpression>(
  left: L,
  right: R,
) => Expression<Wider<'decimal', Wider<NumberKind<L>, NumberKind<R>>>, null, never>;

/** `left + right` of numbers. Texts are joined by `concat`. */
export const add: Arithmetic = infix('+');
/** `left - right`. */
export const subtract: Arithmetic = infix('-');
/** `left * right`. */
export const multiply: Arithmetic = infix('*');
/** `left / right`, also of integers with its fraction; null if `right` is 0. */
export const divide: Fractional = infix('/');
/** The remainder, with the sign of `left`; null if `right` is 0. */
export const modulo: <L extends Numeric | JsonExpression, R extends Numeric | JsonExpression>(
  left: L,
  right: R,
) => Expression<Wider<NumberKind<L>, NumberKind<R>>, null, never> = infix('%');
/** `left ** right`. */
export const raise: Fractional = infix('**');
/** The `right`-th root of `left`. */
export const root: Fractional = infix('//');
/** `-x`. */
export const negate: <T extends Numeric | JsonExpression>(
  x: T,
) => Expression<NumberKind<T>, NullOf<T>, never> = prefix('-');

type Bits = <L extends Integer, R extends Integer>(
  left: L,
  right: R,
) => Expression<'integer', NullOf<L> | NullOf<R>, never>;

export const bitAnd: Bits = infix('&');
export const bitOr: Bits = infix('|');
/** The bitwise exclusive or. */
export const bitXor: Bits = infix('^');
/** The bitwise complement. */
export const bitNot: <T extends Integer>(x: T) => Expression<'integer', NullOf<T>, never> =
  prefix('~');
/** `left << right`; null for a shift by less than 0 or more than 63 bits. */
export const shiftLeft: (left: Integer, right: Integer) => Expression<'integer', null, never> =
  infix('<<');
/** `left >> right`; null for a shift by less than 0 or more than 63 bits. */
export const shiftRight: (left: Integer, right: Integer) => Expression<'integer', null, never> =
  infix('>>');

/** `condition ? yes : no`. */
export function when<Y extends Expression, Z extends Comparable<Y>>(
  condition: Truth,
  yes: Y,
  no: Z,
): Expression<KindOf<Y> | KindOf<Z>, NullOf<Y> | NullOf<Z>, never>;
export function when<Y extends AnyOperand, Z extends Expression>(
  condition: Truth,
  yes: Y,
  no: Z,
): Expression<KindOf<Z>, NullOf<Y> | NullOf<Z>, never>;
export function when(condition: Truth, yes: unknown, no: unknown): Expression {
  const [test, first, second] = [condition, yes, no].map(argumentText);
  return recorded((values) => `(${test?.(values)}?${first?.(values)}:${second?.(values)})`);
}

/** An item of an array, or the value at a path of JSON; null if there is none. Each path is a query of its own. */
export const at: {
  <Item extends ItemKind>(
    array: ArrayExpression<Item>,
    index: number,
  ): Expression<Item, null, never>;
  (json: JsonExpression, ...path: readonly (string | number)[]): Expression<'json', null, never>;
} = (from: unknown, ...path: readonly (string | number)[]) => {
  const written = argumentText(from);
  const members = path.map((key) => memberText(String(key))).join('');
  return recorded((values) => written(values) + members);
};

/**
 * The value written into the text of the query instead of a parameter. Each value is a query of its own to
 * the gateway, so this is for constants: `raise(x, literal(2))` is exact, for example.
 */
export function literal<T extends string | number | bigint | boolean>(
  value: T,
): Expression<LiteralKind<T>, never, never> {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return recorded(() => (text.startsWith('-') ? `(${text})` : text));
}

type LiteralKind<T> = T extends string
  ? 'string'
  : T extends boolean
    ? 'boolean'
    : T extends number
      ? NumberLiteralKind<T>
      : 'integer';

/** Digits alone are an integer. */
type NumberLiteralKind<T extends number> = number extends T
  ? 'integer' | 'decimal'
  : `${T}` extends `${bigint}`
    ? 'integer'
    : 'decimal';

/** Parentheses around every operation, so that the order of evaluation is that of the calls. */
function infix(operator: string): (...operands: readonly unknown[]) => never {
  return (...operands) => {
    const written = operands.map(argumentText);
    return recorded((values) => `(${written.map((each) => each(values)).join(operator)})`);
  };
}

function prefix(operator: string): (operand: unknown) => never {
  return (operand) => {
    const written = argumentText(operand);
    return recorded((values) => `${operator}(${written(values)})`);
  };
}
