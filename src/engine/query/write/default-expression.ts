/** Decides which defaults are expressions and which are plain values. */
import { EngineError } from '../../errors.js';
import type { Expression } from '../../language/ast.js';
import { isTemplate, parseWithTemplate } from '../../language/parse-template.js';
import type { SchemaScalar } from '../../schema/model.js';
import { isEvaluable } from './evaluable.js';

/**
 * The default of a string property as an expression: a template, a call (`lower(name)`), a quoted
 * string, or a concatenation or choice of these (`first + " " + last`). Undefined for any other text,
 * which is the value itself: `in-progress` is not a subtraction.
 */
export function textDefault(text: string): Expression | undefined {
  if (!isTemplate(text) && !isCall(text) && !hasQuotes(text)) return undefined;
  try {
    const expression = parseWithTemplate(text);
    return isValue(expression) && isEvaluable(expression) ? expression : undefined;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/** The constant default of a string property; undefined if the default is evaluated for each row. */
export function constantDefault(value: SchemaScalar): string | undefined {
  const expression = textDefault(String(value));
  if (!expression) return String(value);
  return expression.kind === 'text' ? expression.value : undefined;
}

/** Whether a text is read as a call, so that it must be quoted to be the value itself. */
export function isCall(text: string): boolean {
  return /^[A-Za-z_$][\w$.]*\(.*\)$/s.test(text);
}

function hasQuotes(text: string): boolean {
  return /["'`]/.test(text);
}

function isValue(expression: Expression): boolean {
  if (expression.kind === 'binary') return ['+', '??'].includes(expression.operator);
  return ['text', 'call', 'conditional'].includes(expression.kind);
}
