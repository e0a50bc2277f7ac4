/** Binds lists that are arguments: a list literal, or a parameter. */
import { EngineError } from '../../errors.js';
import type { Expression } from '../../language/ast.js';
import { bindExpression, bindPath } from '../bind-expression.js';
import type { Bound } from '../logical.js';
import { shapeSlot } from '../parameters.js';
import type { Scope } from '../scope.js';

/** Whether the expression is a list, or a parameter that is not used as a single value elsewhere. */
export function isListLike(scope: Scope, expression: Expression): boolean {
  if (expression.kind === 'list') return true;
  const parameter = parameterAt(scope, expression);
  return parameter !== undefined && parameter.slot.shape !== 'scalar';
}

/** Binds a list. Its items may still have different types. Throws `type-mismatch`. */
export function bindList(scope: Scope, expression: Expression, takenBy: string): Bound {
  const { span } = expression;
  if (expression.kind === 'list') {
    const items = expression.items.map((item) => bindExpression(scope, item));
    return { kind: 'list', items, type: 'any', span };
  }
  const parameter = parameterAt(scope, expression);
  if (!parameter) {
    const hint = 'For example [1, 2, 3], or the name of a parameter.';
    throw new EngineError('type-mismatch', `${takenBy} takes a list.`, { span, hint });
  }
  shapeSlot(parameter.slot, 'list', span);
  return parameter;
}

function parameterAt(scope: Scope, expression: Expression) {
  if (expression.kind !== 'name' && expression.kind !== 'member') return undefined;
  const target = bindPath(scope, expression);
  const value = target.kind === 'value' ? target.value : undefined;
  return value?.kind === 'parameter' ? value : undefined;
}
