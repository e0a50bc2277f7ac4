/** Defaults of texts that are expressions: a text that is a call of a known function. */
import { EngineError } from '../../errors.js';
import type { CallExpression } from '../../language/ast.js';
import { parseExpression } from '../../language/parse-expression.js';
import { schemaExpressionLimits } from '../schema-expression.js';
import { isEvaluable } from './evaluable.js';

/** `lower(name)` as an expression; undefined of a text that stands for itself. */
export function defaultCall(text: string): CallExpression | undefined {
  if (!/^[A-Za-z]\w*\(.*\)$/s.test(text)) return undefined;
  try {
    const expression = parseExpression(text, schemaExpressionLimits);
    return expression.kind === 'call' && isEvaluable(expression) ? expression : undefined;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
