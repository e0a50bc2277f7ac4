/** Expressions that Rowgate evaluates itself. */
import type { Expression } from '../../../src/engine/language/ast.js';
import { partsOf } from '../reduce/candidates.js';

/** The functions that it evaluates, as documented; see docs/functions.md. */
const names = `
  abs between capitalize ceil coalesce concat concatenate contains curTime date dateTime day endsWith floor
  hour ilike in includes indexOf isEmpty isNotEmpty isNotNull isNull len length like lower ltrim minute
  month now nvl nvl2 power replace reverse round rtrim second sign sqrt startWith startsWith substr
  substring toString toUpper today trim trunc upper year
`;

const evaluated: ReadonlySet<string> = new Set(names.trim().split(/\s+/));

/** Whether Rowgate can evaluate the expression if it knows all values in it. */
export function isEvaluated(expression: Expression): boolean {
  const isKnown = expression.kind !== 'call' || evaluated.has(expression.name);
  return isKnown && partsOf(expression).every(isEvaluated);
}

const moments: readonly string[] = ['curTime', 'date', 'dateTime', 'now', 'today'];

/** Whether the expression computes a date or time, of which Rowgate may write more digits. */
export function hasMoment(expression: Expression): boolean {
  return (
    (expression.kind === 'call' && moments.includes(expression.name)) ||
    partsOf(expression).some(hasMoment)
  );
}
