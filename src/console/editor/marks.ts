/** Marks what is wrong with an expression at its position. */
import type { Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { Problem } from '../gateway/problem.js';

/**
 * Marks the word at the position of a problem, or the whole text if the problem has no position.
 */
export function marksOf(problem: Problem | undefined, text: Text): Diagnostic[] {
  if (problem === undefined || text.length === 0) return [];
  const { detail, hint, position } = problem;
  const message = hint === undefined ? detail : `${detail} ${hint}`;
  return [{ ...rangeOf(position, text), severity: 'error', message }];
}

function rangeOf(position: Problem['position'], text: Text) {
  if (position === undefined || position.ln > text.lines) return { from: 0, to: text.length };
  const line = text.line(position.ln);
  const from = Math.min(line.from + position.col - 1, line.to);
  const rest = text.sliceString(from, line.to);
  const length = /^(?:[\w$]+|\S)/.exec(rest)?.[0].length ?? 0;
  // At the end of a line, the character before it is marked.
  if (length === 0) return { from: Math.max(from - 1, 0), to: from };
  return { from, to: from + length };
}
