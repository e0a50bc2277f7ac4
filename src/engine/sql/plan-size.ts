/** Limits the SQL of a plan to what databases can parse. */
import type { CompiledQuery, StatementPlan } from '../compiled-query.js';
import { EngineError } from '../errors.js';
import { dialectOf } from '../dialects/dialects.js';

/** The maximum length of all statements of a plan together, in UTF-16 code units. */
const LENGTH_MAX = 1_048_576;

/**
 * Throws `too-complex` if the statements are too long, or nest parentheses too deeply for their
 * dialect.
 */
export function requireBoundedSql(root: CompiledQuery['root']): void {
  const statements = statementsOf(root);
  const length = statements.reduce((sum, { text }) => sum + text.length, 0);
  if (length > LENGTH_MAX) {
    throw tooComplex(`Its SQL is longer than ${LENGTH_MAX} characters.`);
  }
  for (const { text, dialect } of statements) {
    const most = dialectOf(dialect).nestingMax;
    if (most < Infinity && depthOf(text) > most) {
      throw tooComplex(`${dialect} cannot evaluate expressions that are nested this deeply.`);
    }
  }
}

function statementsOf(statement: StatementPlan): readonly StatementPlan[] {
  return [statement, ...statement.includes.flatMap((each) => statementsOf(each.statement))];
}

/** How deeply parentheses nest, except those in names and literals. */
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
  return new EngineError('too-complex', `The query is too complex. ${why}`);
}
