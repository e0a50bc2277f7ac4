/** Binds the clauses that limit the rows of an answer: `page`, `first`, `last` and `take`. */
import { EngineError } from '../errors.js';
import type { ClauseSyntax, Expression } from '../language/ast.js';
import { bindExpression } from './bind-expression.js';
import { requireType } from './bind-operators.js';
import type { Clauses } from './clauses.js';
import type { Bound, BoundLimit } from './logical.js';
import type { Scope } from './scope.js';

/** Binds the limit of a query; undefined without such a clause. */
export function bindLimit(scope: Scope, clauses: Clauses): BoundLimit | undefined {
  const page = clauses.one('page');
  if (page) return bindPage(scope, page);
  const take = clauses.one('take');
  if (take) return { kind: 'take', count: bindTake(scope, take) };
  const cut = clauses.one('first') ?? clauses.one('last');
  return cut && { kind: 'take', count: one(cut) };
}

/** Whether the last rows are requested, so that the sort must be reversed. */
export function isReversed(clauses: Clauses): boolean {
  return clauses.one('last') !== undefined;
}

function bindPage(scope: Scope, clause: ClauseSyntax): BoundLimit {
  const [page, size, extra] = clause.arguments;
  if (!page || !size || extra)
    throw wrongArguments(clause, 'a page number (from 1) and a page size');
  return { kind: 'page', page: bindCount(scope, page, 1), size: bindCount(scope, size, 1) };
}

function bindTake(scope: Scope, clause: ClauseSyntax): Bound {
  const [count, extra] = clause.arguments;
  if (extra) throw wrongArguments(clause, 'a number of rows');
  return count ? bindCount(scope, count, 0) : one(clause);
}

/** A whole number of at least `least`, as a literal or a parameter. */
function bindCount(scope: Scope, expression: Expression, least: number): Bound {
  const bound = bindExpression(scope, expression);
  requireType(bound, 'integer', 'The number of rows');
  if (bound.kind === 'parameter') return bound;
  if (bound.kind === 'literal' && Number(bound.text) >= least && Number(bound.text) <= countMax) {
    return bound;
  }
  const message = `A whole number of at least ${least}, or a parameter, is expected here.`;
  throw new EngineError('wrong-arguments', message, { span: expression.span });
}

/** Keeps the end of a page within the databases' 64 bits. */
const countMax = 1_000_000_000;

function one({ nameSpan }: ClauseSyntax): Bound {
  return { kind: 'literal', text: '1', type: 'integer', span: nameSpan };
}

function wrongArguments({ name, nameSpan }: ClauseSyntax, what: string): EngineError {
  return new EngineError('wrong-arguments', `Clause '${name}' takes ${what}.`, { span: nameSpan });
}
