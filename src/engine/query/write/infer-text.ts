/** Infers that a `+` of parameters concatenates because its result is stored as a string. */
import type { Expression } from '../../language/ast.js';
import { pathOf } from '../../language/path-of.js';
import type { RowSource } from '../logical.js';
import { narrowSlot, slotOf } from '../parameters.js';
import type { BindContext } from '../scope.js';
import { isNumeric } from '../types.js';

/** What the names in an expression may refer to. */
export interface StoredText {
  readonly context: BindContext;
  /** The row that the expression may read, and its variable. */
  readonly own?: { readonly row: RowSource; readonly variable: string };
}

/**
 * Makes the first parameter of a sum a string, if all other operands are parameters and numbers. Must
 * be called before the expression is bound.
 */
export function inferText(expression: Expression, place: StoredText): void {
  for (const sum of sumsOf(expression)) {
    const [first] = parametersOf(sum, place) ?? [];
    if (first) narrowSlot(slotOf(place.context.parameters, first), 'string', sum.span);
  }
}

/** The sums that may be the value of an expression, found through its choices. */
function sumsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === 'conditional') {
    return [expression.consequent, expression.alternate].flatMap(sumsOf);
  }
  if (expression.kind !== 'binary') return [];
  if (expression.operator === '??') return [expression.left, expression.right].flatMap(sumsOf);
  return expression.operator === '+' ? [expression] : [];
}

/** The paths of the parameters of a sum; undefined if another operand may be a string. */
function parametersOf(
  expression: Expression,
  place: StoredText,
): readonly (readonly string[])[] | undefined {
  if (expression.kind === 'number') return [];
  if (expression.kind === 'binary' && expression.operator === '+') {
    const left = parametersOf(expression.left, place);
    const right = parametersOf(expression.right, place);
    return left && right && [...left, ...right];
  }
  const path = pathOf(expression);
  if (!path) return undefined;
  const { own } = place;
  if (path[0] !== own?.variable) return [path];
  const property = own?.row.entity.properties.find(({ name }) => name === path[1]);
  return path.length === 2 && property && isNumeric(property.type) ? [] : undefined;
}
