/** Decides which scalar type a path into JSON is read as. */
import type { BinaryOperator } from '../language/ast.js';
import type { PropertyType } from '../schema/model.js';
import type { Bound, BoundJsonPath } from './logical.js';

/** The types of scalars in JSON. A path that finds another type is null. */
export type JsonScalar = 'string' | 'decimal' | 'boolean';

/** Reads a path as a scalar of that type; other expressions are returned unchanged. */
export function asScalar(bound: Bound, type: JsonScalar): Bound {
  return isOpenPath(bound) ? { ...bound, type } : bound;
}

/** Reads a path as the type of the value beside it, or as a string if that type is unknown. */
export function besideValue(bound: Bound, type: PropertyType | undefined): Bound {
  return isOpenPath(bound) ? { ...bound, type: scalarOf(type) } : bound;
}

/** The operands of an operator, with paths read as the types that the operator takes. */
export function operandsOf(
  operator: BinaryOperator,
  [left, right]: readonly [Bound, Bound],
  [leftType, rightType]: readonly [PropertyType | undefined, PropertyType | undefined],
): { readonly left: Bound; readonly right: Bound } {
  if (takesEither.has(operator)) {
    return { left: besideValue(left, rightType), right: besideValue(right, leftType) };
  }
  const isText = operator === '+' && (leftType === 'string' || rightType === 'string');
  const isLogical = operator === '&&' || operator === '||';
  const type = isLogical ? 'boolean' : isText ? 'string' : 'decimal';
  return { left: asScalar(left, type), right: asScalar(right, type) };
}

const takesEither: ReadonlySet<BinaryOperator> = new Set([
  ...(['==', '!=', '<', '<=', '>', '>=', '??'] as const),
]);

/** Whether the expression is a path whose scalar type has not been determined yet. */
export function isOpenPath(bound: Bound): bound is BoundJsonPath {
  return bound.kind === 'jsonPath' && bound.type === 'json';
}

function scalarOf(type: PropertyType | undefined): JsonScalar {
  if (type === 'boolean') return type;
  return type === 'integer' || type === 'decimal' || type === 'number' ? 'decimal' : 'string';
}
