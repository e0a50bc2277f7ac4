/**
 * Expressions of the schema over the properties of one row. Properties stand in them by their bare
 * names, or as members of a lambda's variable.
 */
import { EngineError } from '../errors.js';
import type { Expression, LambdaExpression } from '../language/ast.js';
import { mapChildren } from '../language/collect-children.js';
import { parseExpression } from '../language/parse-expression.js';

/** Bounds of an expression of the schema. */
export const schemaExpressionLimits = { expressionLengthMax: 4096, nestingMax: 64 };

/** Stands for the row where the text names no variable. */
const rowVariable = '$row';

/** The expression as a lambda whose variable stands for the row. Throws as `parseExpression` does. */
export function parseOverRow(text: string): LambdaExpression {
  const expression = parseExpression(text, schemaExpressionLimits);
  const { span } = expression;
  if (expression.kind === 'lambda') return expression;
  return { kind: 'lambda', parameter: rowVariable, body: ofRow(expression, noNames), span };
}

/**
 * The error of a schema whose expression cannot be bound. What `fault` says of it is told only where
 * it cannot hold a secret: `what` names the place, the text itself is never part of it.
 */
export function invalidExpression(what: string, text: string, fault: EngineError): EngineError {
  const why = holdsSecret(text) ? '' : `: ${fault.message}`;
  return new EngineError('schema-invalid', `The ${what} cannot be read${why || '.'}`);
}

/** Whether an expression has a key in it. */
export function holdsSecret(text: string): boolean {
  return /\b(en|de)crypt\b/.test(text);
}

const noNames: ReadonlySet<string> = new Set();

/** The expression with `name` written as a member of the row; `own`: variables of lambdas within. */
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
