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
import { withEnumMembers } from '../schema/enum-members.js';

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
  const own = new Set(properties.map(({ name }) => name));
  const parsed = parseExpression(text, schemaExpressionLimits);
  const expression = withEnumMembers(catalog.schema.domain.enums, parsed, own);
  const { span } = expression;
  if (expression.kind === 'lambda') return expression;
  return { kind: 'lambda', parameter: rowVariable, body: ofRow(expression, noNames), span };
}

/**
 * The error for an expression of the schema that cannot be bound. `what` names the expression. The
 * reason and its hint are included only if the text cannot contain a secret; the text itself never is.
 */
export function invalidExpression(what: string, text: string, fault: Error): EngineError {
  if (holdsSecret(text)) return new EngineError('schema-invalid', `The ${what} is invalid.`);
  const hint = fault instanceof EngineError ? fault.hint : undefined;
  return new EngineError('schema-invalid', `The ${what} is invalid: ${fault.message}`, { hint });
}

/** Whether an expression may contain an encryption key. */
export function holdsSecret(text: string): boolean {
  return /\b(en|de)crypt\b/.test(text);
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
