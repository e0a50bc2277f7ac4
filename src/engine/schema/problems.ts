/** Throws one error for all problems of a schema document. */
import { type Problem, EngineError } from '../errors.js';

/** Throws an EngineError ('schema-invalid') that lists all problems, if there are any. */
export function throwProblems(problems: readonly Problem[]): void {
  const [first] = problems;
  if (!first) return;
  const message =
    problems.length === 1
      ? first.detail
      : [`The schema has ${problems.length} errors.`, ...problems.map(formatProblem)].join('\n');
  throw new EngineError('schema-invalid', message, {
    place: first.place,
    hint: problems.length === 1 ? first.hint : undefined,
  });
}

/** A problem on one line: its place, detail and hint. */
function formatProblem(problem: Problem): string {
  const place = problem.place === undefined ? '' : `${problem.place}: `;
  const hint = problem.hint === undefined ? '' : ` ${problem.hint}`;
  return `${place}${problem.detail}${hint}`;
}
