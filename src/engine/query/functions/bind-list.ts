/** Binds lists that are arguments: a list literal, or a parameter. */
import { EngineError } from '../../errors.js';
import type { Expression } from '../../language/ast.js';
import { bindExpression, bindPath, computable } from '../bind-expression.js';
import { isOfItems } from '../elements.js';
import type { Bound } from '../logical.js';
import { shapeSlot } from '../parameters.js';
import type { Scope } from '../scope.js';

/** Whether the expression is a list, an array, or a parameter that is not used as a single value elsewhere. */
export function isListLike(scope: Scope, expression: Expression): boolean {
  if (expression.kind === 'list' || isArrayLike(scope, expression)) return true;
  const value = valueAt(scope, expression);
  return value?.kind === 'parameter' && value.slot.shape !== 'scalar';
}

/** Whether the expression is a property whose values are arrays. */
export function isArrayLike(scope: Scope, expression: Expression): boolean {
  const value = valueAt(scope, expression);
  return value !== undefined && isOfItems(value);
}

/** Binds a list or an array; its items still need a common type. Throws `type-mismatch`. */
export function bindList(scope: Scope, expression: Expression, takenBy: string): Bound {
  const { span } = expression;
  if (expression.kind === 'list') {
    const items = expression.items.map((item) => bindExpression(scope, item));
    return { kind: 'list', items, type: 'any', span };
  }
  const value = valueAt(scope, expression);
  if (value && isOfItems(value)) return computable(value);
  if (value?.kind !== 'parameter') {
    const hint = 'For example [1, 2, 3], or the name of a parameter.';
    throw new EngineError('type-mismatch', `${takenBy} takes a list.`, { span, hint });
  }
  shapeSlot(value.slot, 'list', span);
  return value;
}

function valueAt(scope: Scope, expression: Expression): Bound | undefined {
  if (expression.kind !== 'name' && expression.kind !== 'member') return undefined;
  const target = bindPath(scope, expression);
  return target.kind === 'value' ? target.value : undefined;
}

export const listHint = 'To find a value in a list, write in(value, list) or list.includes(value).';
