/** Binds the clauses that limit the rows of an answer: `page`, `first`, `last` and `take`. */
import { EngineError } from '../errors.js';
import type { ClauseSyntax, Expression } from '../language/ast.js';
import { literalOf } from './added.js';
import { bindExpression } from './bind-expression.js';
import { requireType } from './bind-operators.js';
import type { Clauses } from './clauses.js';
import type { Bound, BoundLimit } from './logical.js';
import type { Scope } from './scope.js';
import { mismatch } from './types.js';

/** Binds the limit of a query; undefined without such a clause. */
export function bindLimit(scope: Scope, clauses: Clauses): BoundLimit | undefined {
  const page = clauses.one('page');
  if (page) {
    const [given, size, extra] = page.arguments;
    if (!given || !size || extra) throw wrongCount(page, extra);
    return {
      kind: 'page',
      page: bindCount(scope, page, given, 'The page number'),
      size: bindCount(scope, page, size, 'The page size'),
    };
  }
  const take = clauses.one('take');
  const [given, extra] = take?.arguments ?? [];
  if (take && extra) throw wrongCount(take, extra);
  if (take && given) {
    return { kind: 'take', count: bindCount(scope, take, given, 'The number of rows') };
  }
  return (take ?? clauses.one('first') ?? clauses.one('last')) && { kind: 'take', count: one };
}

/** A whole number, as a literal or a parameter; `what` is its meaning, for errors. */
function bindCount(scope: Scope, clause: ClauseSyntax, given: Expression, what: string): Bound {
  const least = clause.name === 'page' ? 1 : 0;
  const hint = hintFor(clause, given.kind);
  const kind = kinds.get(given.kind);
  if (kind !== undefined) {
    throw mismatch(`${what} must be a number or a parameter, not ${kind}.`, given.span, hint);
  }
  // A null of the data, which is no limit, is none in the text.
  const context = { ...scope.context, nullParameters: new Set<string>() };
  const bound = bindExpression({ ...scope, context }, given);
  requireType(bound, 'integer', what);
  if (bound.kind === 'parameter') return bound;
  if (bound.kind === 'literal' && Number(bound.text) >= least && Number(bound.text) <= countMax) {
    return bound;
  }
  const message = `${what} must be a parameter or a whole number from ${least} to 1,000,000,000.`;
  throw new EngineError('wrong-arguments', message, { span: given.span, hint });
}

/** What is often given in place of a number. */
const kinds: ReadonlyMap<Expression['kind'], string> = new Map([
  ['lambda', 'a lambda'],
  ['object', 'an object'],
  ['list', 'a list'],
]);

/** Keeps the end of a page within the databases' 64 bits. */
const countMax = 1_000_000_000;

const one = literalOf('integer', '1');

function wrongCount(clause: ClauseSyntax, extra: Expression | undefined): EngineError {
  const { name, nameSpan } = clause;
  const what = name === 'page' ? 'a page number and a page size' : 'one number of rows';
  const place = { span: extra?.span ?? nameSpan, hint: hintFor(clause) };
  return new EngineError('wrong-arguments', `Clause '${name}' takes ${what}.`, place);
}

function hintFor({ name }: ClauseSyntax, given?: Expression['kind']): string {
  if (name === 'page') return 'For example page(1, 20): pages count from 1.';
  return given === 'lambda'
    ? 'For example take(10). The values of the rows are chosen by map: take(10).map(p=>p.name).'
    : 'For example take(10).';
}
