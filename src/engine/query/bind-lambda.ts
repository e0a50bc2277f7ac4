/** Reads and binds the lambdas of clauses. */
import { EngineError } from '../errors.js';
import type { ClauseSyntax, LambdaExpression } from '../language/ast.js';
import { condition } from './added.js';
import { bindExpression } from './bind-expression.js';
import { requireType } from './bind-operators.js';
import { asScalar } from './json-path.js';
import type { Bound, RowSource } from './logical.js';
import { innerScope, type Scope, type ScopeOptions } from './scope.js';

/** The lambda that is the only argument of a clause. Throws `wrong-arguments` for anything else. */
export function lambdaOf(clause: ClauseSyntax): LambdaExpression {
  const [argument, extra] = clause.arguments;
  if (argument?.kind === 'lambda' && !extra) return argument;
  const span = (extra ?? argument)?.span ?? clause.nameSpan;
  const example = examples.get(clause.name) ?? 'p=>p.name';
  const message = `Clause '${clause.name}' takes one lambda, such as ${example}.`;
  throw new EngineError('wrong-arguments', message, { span, ...hintFor(clause) });
}

const examples: ReadonlyMap<string, string> = new Map([
  ['filter', 'p=>p.id==id'],
  ['where', 'p=>p.id==id'],
  ['having', 'p=>count(1)>1'],
  ['include', 'p=>p.details'],
]);

/** `first(5)` is known from other languages. */
function hintFor({ name, arguments: [argument] }: ClauseSyntax): { readonly hint?: string } {
  if (name !== 'first' && name !== 'last') return {};
  if (argument === undefined || argument.kind === 'lambda') return {};
  const order = name === 'last' ? 'sort in the opposite direction and ' : '';
  return { hint: `It returns one row: for several, ${order}use take(n).` };
}

/** The lambda of a clause that may also have no argument. */
export function optionalLambdaOf(clause: ClauseSyntax): LambdaExpression | undefined {
  return clause.arguments.length === 0 ? undefined : lambdaOf(clause);
}

/** Binds a lambda whose body is a condition on `row`. */
export function bindCondition(
  scope: Scope,
  row: RowSource,
  lambda: LambdaExpression,
  options: ScopeOptions,
): Bound {
  const value = bindExpression(innerScope(scope, lambda.parameter, row, options), lambda.body);
  const bound = asScalar(value, 'boolean');
  requireType(bound, 'boolean', 'A condition');
  return bound;
}

/** Joins conditions by AND; undefined when there are none. */
export function allOf(conditions: readonly (Bound | undefined)[]): Bound | undefined {
  return conditions.reduce<Bound | undefined>((left, right) => {
    if (!left || !right) return left ?? right;
    return condition('&&', left, right, right.span);
  }, undefined);
}
