/**
 * Parses expressions of the schema over one row. They name properties directly, or as members of a
 * lambda's variable.
 */
import { EngineError } from '../errors.js';
import type { Expression, LambdaExpression } from '../language/ast.js';
import { mapChildren } from '../language/children.js';
import { parseExpression } from '../language/parse-expression.js';
import { schemaExpressionLimits } from '../language/parse-template.js';
import type { Catalog } from '../schema/catalog.js';
import type { Property } from '../schema/model.js';
import { holdsSecret } from '../schema/secret.js';
import { EvaluationError } from '../values/evaluate/evaluation-error.js';
import { withMembersBeside } from './write/constraints.js';

/** The variable for the row, where the text is not a lambda. */
const rowVariable = '$row';

/**
 * Parses an expression as a lambda over a row with these properties. Throws what `parseExpression` and
 * `withEnumMembers` throw.
 */
export function parseOverRow(
  catalog: Catalog,
  properties: readonly Property[],
  text: string,
): LambdaExpression {
  const parsed = parseExpression(text, schemaExpressionLimits);
  const expression = withMembersBeside(catalog, { properties }, parsed);
  const { span } = expression;
  if (expression.kind === 'lambda') return expression;
  return { kind: 'lambda', parameter: rowVariable, body: ofRow(expression, noNames), span };
}

/**
 * The result of binding an expression of the schema, which `what` names. Throws `schema-invalid`: with the
 * reason and its hint only if the text cannot contain a secret, and never with the text itself.
 */
export function orInvalid<Result>(what: string, text: string, bind: () => Result): Result {
  try {
    return bind();
  } catch (error) {
    if (!(error instanceof EngineError || error instanceof EvaluationError)) throw error;
    if (holdsSecret(text)) throw new EngineError('schema-invalid', `The ${what} is invalid.`);
    const hint = error instanceof EngineError ? error.hint : undefined;
    throw new EngineError('schema-invalid', `The ${what} is invalid: ${error.message}`, { hint });
  }
}

const noNames: ReadonlySet<string> = new Set();

/**
 * The expression with bare names turned into members of the row, except `own`, the variables of inner
 * lambdas.
 */
function ofRow(expression: Expression, own: ReadonlySet<string>): Expression {
  if (expression.kind === 'name') {
    const { name, span } = expression;
    if (own.has(name)) return expression;
    const object = { kind: 'name', name: rowVariable, span } as const;
    return { kind: 'member', object, name, nameSpan: span, span };
  }
  const parameter = expression.kind === 'lambda' ? expression.parameter : undefined;
  const names = parameter === undefined ? own : new Set([...own, parameter]);
  return mapChildren(expression, (part) => ofRow(part, names));
}
