/** Paths into values of JSON, and what is taken of them where a scalar is needed. */
import type { BinaryOperator } from '../language/ast.js';
import type { PropertyType } from '../schema/model.js';
import type { Bound, BoundJsonPath } from './logical.js';

/** The scalar types that JSON has. */
export type JsonScalar = 'string' | 'decimal' | 'boolean';

/** A path as a scalar; anything else as it is. Values of other types are null. */
export function asScalar(bound: Bound, type: JsonScalar): Bound {
  return isOpenPath(bound) ? { ...bound, type } : bound;
}

/** A path beside a value is of its type: a text where that is not known. */
export function besideValue(bound: Bound, type: PropertyType | undefined): Bound {
  return isOpenPath(bound) ? { ...bound, type: scalarOf(type) } : bound;
}

/** The operands of an operator, of which paths are numbers, texts or conditions. */
export function operandsOf(
  operator: BinaryOperator,
  [left, right]: readonly [Bound, Bound],
  [leftType, rightType]: readonly [PropertyType | undefined, PropertyType | undefined],
): { readonly left: Bound; readonly right: Bound } {
  switch (operator) {
    case '&&':
    case '||':
      return { left: asScalar(left, 'boolean'), right: asScalar(right, 'boolean') };
    case '+': {
      const type = leftType === 'string' || rightType === 'string' ? 'string' : 'decimal';
      return { left: asScalar(left, type), right: asScalar(right, type) };
    }
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '??':
      return { left: besideValue(left, rightType), right: besideValue(right, leftType) };
    default:
      return { left: asScalar(left, 'decimal'), right: asScalar(right, 'decimal') };
  }
}

/** Whether it is not yet known which kind of scalar is meant. */
export function isOpenPath(bound: Bound): bound is BoundJsonPath {
  return bound.kind === 'jsonPath' && bound.type === 'json';
}

function scalarOf(type: PropertyType | undefined): JsonScalar {
  if (type === 'boolean') return type;
  return type === 'integer' || type === 'decimal' || type === 'number' ? 'decimal' : 'string';
}
