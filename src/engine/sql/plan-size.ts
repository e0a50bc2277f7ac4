/** Limits the SQL of a plan to what databases can parse. */
import type { CompiledQuery, StatementPlan } from '../compiled-query.js';
import { EngineError } from '../errors.js';
import { dialectOf } from '../dialects/dialects.js';

/** The most UTF-16 units of all statements of a plan. */
const LENGTH_MAX = 1_048_576;

/** Throws `too-complex`. */
export function requireBoundedSql(root: CompiledQuery['root']): void {
  const statements = statementsOf(root);
  const length = statements.reduce((sum, { text }) => sum + text.length, 0);
  if (length > LENGTH_MAX) {
    throw tooComplex(`Its SQL is longer than ${LENGTH_MAX} letters.`);
  }
  for (const { text, dialect } of statements) {
    const most = dialectOf(dialect).nestingMax;
    if (most < Infinity && depthOf(text) > most) {
      throw tooComplex(`${dialect} does not compute expressions that nest so deeply.`);
    }
  }
}

function statementsOf(statement: StatementPlan): readonly StatementPlan[] {
  return [statement, ...statement.includes.flatMap((each) => statementsOf(each.statement))];
}

/** Parentheses inside names and literals do not count. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const [piece] of text.matchAll(/`[^`]*`|'[^']*'|[()]/g)) {
    if (piece === ')') depth -= 1;
    else if (piece === '(') depth += 1;
    if (depth > most) most = depth;
  }
  return most;
}

function tooComplex(why: string): EngineError {
  return new EngineError('too-complex', `The query needs too much SQL. ${why}`);
}
