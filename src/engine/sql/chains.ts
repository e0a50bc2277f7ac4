/**
 * Splits long chains of one operator, such as `a + b - c + …`, into groups. Databases evaluate
 * expressions recursively; with groups, the nesting depth grows with the size of a group instead of the
 * number of operands.
 */
import { typeOf } from '../query/bind-operators.js';
import { widestNumber } from '../query/functions/parameters.js';
import type { Bound, BoundBinary } from '../query/logical.js';

/** The maximum number of operands in a group. */
const GROUP = 64;

/** The operators that may form a chain together, and the ones that add or subtract an operand. */
const chains = {
  '+': { plain: '+', inverse: '-' },
  '-': { plain: '+', inverse: '-' },
  '*': { plain: '*', inverse: undefined },
  '&': { plain: '&', inverse: undefined },
  '|': { plain: '|', inverse: undefined },
  '^': { plain: '^', inverse: undefined },
} as const;

type ChainOperator = keyof typeof chains;
type Chain = BoundBinary & { readonly operator: ChainOperator };

interface Term {
  readonly value: Bound;
  /** Whether the operand is subtracted. */
  readonly inverse: boolean;
}

/** Whether `left` continues a chain with `operator`. */
export function isInChain(operator: BoundBinary['operator'], left: Bound): left is Chain {
  if (left.kind !== 'binary' || !isChainOperator(operator) || !isChainOperator(left.operator)) {
    return false;
  }
  return chains[operator].plain === chains[left.operator].plain;
}

/**
 * The same value, with a long chain split into groups. `isNamed` marks expressions that must not be
 * split.
 */
export function inGroups(bound: BoundBinary, isNamed: (bound: Bound) => boolean): BoundBinary {
  const terms = termsOf(bound, isNamed);
  if (terms.length <= GROUP || !isChainOperator(bound.operator)) return bound;
  let whole = group(terms.slice(0, GROUP), bound);
  for (let at = GROUP; at < terms.length; at += GROUP) {
    const more = terms.slice(at, at + GROUP);
    const inverse = more[0]?.inverse === true;
    const inner = more.map((term) => ({ ...term, inverse: term.inverse !== inverse }));
    whole = joined(whole, { value: group(inner, bound), inverse }, bound);
  }
  return whole.kind === 'binary' ? whole : bound;
}

/** The operands of a chain from left to right. Any other expression is its own only operand. */
function termsOf(bound: Bound, isNamed: (bound: Bound) => boolean): readonly Term[] {
  const terms: Term[] = [];
  let at = bound;
  while (at.kind === 'binary' && isChainOperator(at.operator)) {
    terms.push({ value: at.right, inverse: at.operator === '-' });
    if (isNamed(at.left) || !isInChain(at.operator, at.left)) {
      terms.push({ value: at.left, inverse: false });
      return terms.reverse();
    }
    at = at.left;
  }
  return terms.reverse();
}

function isChainOperator(operator: BoundBinary['operator']): operator is ChainOperator {
  return Object.hasOwn(chains, operator);
}

function group([first, ...rest]: readonly Term[], like: BoundBinary): Bound {
  if (!first) return like;
  return rest.reduce<Bound>((left, term) => joined(left, term, like), first.value);
}

function joined(left: Bound, { value, inverse }: Term, like: BoundBinary): BoundBinary {
  const operator = isChainOperator(like.operator) ? chains[like.operator].plain : like.operator;
  const type = widestNumber([typeOf(left) ?? 'decimal', typeOf(value) ?? 'decimal']);
  const { span } = like;
  return { kind: 'binary', operator: inverse ? '-' : operator, left, right: value, type, span };
}
