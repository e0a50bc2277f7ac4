/** Converts names with members to paths. */
import type { Expression } from './ast.js';

/** The names of `a` or `a.b.c`; undefined for anything else. */
export function pathOf(expression: Expression): readonly string[] | undefined {
  if (expression.kind === 'name') return [expression.name];
  if (expression.kind !== 'member') return undefined;
  const path = pathOf(expression.object);
  return path && [...path, expression.name];
}
