/** Checks whether Rowgate can evaluate an expression itself, on given values and without a database. */
import { EngineError } from '../../errors.js';
import type { CallExpression, Expression } from '../../language/ast.js';
import { childrenOf } from '../../language/children.js';
import { didYouMean } from '../../language/did-you-mean.js';
import { parseWithTemplate } from '../../language/parse-template.js';
import { checkCount } from '../bind-call.js';
import { ownFunctionNamed } from '../functions/own.js';
import { functionNamed } from '../functions/table.js';
import { evaluatedFunctions } from '../../values/evaluate/functions.js';
import type { Catalog } from '../../schema/catalog.js';
import type { Entity } from '../../schema/model.js';
import { withBareNames, withMembersBeside } from './constraints.js';

/**
 * Parses a `readValue` or a `writeValue` of an entity into an expression over bare property names. Throws if Rowgate
 * cannot evaluate it; `refused` lists functions that are not allowed here.
 */
export function valueExpression(
  { catalog, entity }: { readonly catalog: Catalog; readonly entity: Pick<Entity, 'properties'> },
  text: string,
  refused?: readonly string[],
): Expression {
  const parsed = withBareNames(parseWithTemplate(text));
  const expression = withMembersBeside(catalog, entity, parsed);
  checkEvaluable(expression, refused);
  return expression;
}

/**
 * Throws `unsupported` or `type-mismatch` for a part that cannot be evaluated; `refused` lists
 * functions that are not allowed here.
 */
export function checkEvaluable(expression: Expression, refused: readonly string[] = []): void {
  const { kind, span } = expression;
  if (kind === 'lambda' || kind === 'object') {
    throw new EngineError('type-mismatch', 'A single value is expected here.', { span });
  }
  if (kind === 'member' && !['name', 'member'].includes(expression.object.kind)) {
    throw new EngineError('type-mismatch', 'A value has no members.', { span });
  }
  if (kind === 'call' && refused.includes(expression.name)) {
    const message = `Function '${expression.name}' is not allowed here.`;
    throw new EngineError('unsupported', message, { span: expression.nameSpan });
  }
  if (kind === 'call' && !evaluatedFunctions.has(expression.name)) {
    const hint = didYouMean(expression.name, evaluatedFunctions.keys());
    const message = `Function '${expression.name}' is not available here: Rowgate evaluates this expression without the database.`;
    throw new EngineError('unsupported', message, { span: expression.nameSpan, hint });
  }
  if (kind === 'call') checkCall(expression);
  for (const child of childrenOf(expression)) checkEvaluable(child, refused);
}

function checkCall(call: CallExpression): void {
  const { name, receiver, arguments: given } = call;
  const signature = functionNamed(name) ?? ownFunctionNamed(name);
  // The items of `in` may also be separate arguments.
  if (signature && name !== 'in') checkCount(signature, call, given.length + (receiver ? 1 : 0));
  const pattern = name === 'test' ? (receiver ? given[0] : given[1]) : undefined;
  if (pattern?.kind === 'text' && !isPattern(pattern.value)) {
    const message = 'This is not a valid JavaScript regular expression.';
    throw new EngineError('wrong-arguments', message, { span: pattern.span });
  }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Whether {@link checkEvaluable} accepts the expression. */
export function isEvaluable(expression: Expression): boolean {
  try {
    checkEvaluable(expression);
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
