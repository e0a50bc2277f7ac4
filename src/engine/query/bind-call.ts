/** Calls of functions, in call form (`lower(p.name)`) and in method form (`p.name.lower()`). */
import { EngineError } from '../errors.js';
import type { CallExpression } from '../language/ast.js';
import type { Bound } from './logical.js';
import type { Scope } from './scope.js';

/** Binds a call to the function of that name and the types of its arguments. */
export function bindCall(_scope: Scope, { name, nameSpan: span }: CallExpression): Bound {
  throw new EngineError('unknown-function', `There is no function '${name}'.`, { span });
}
