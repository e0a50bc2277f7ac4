/** Parses a query: an entity and its clauses. */
import type { Span } from '../errors.js';
import type { ClauseSyntax, QuerySyntax } from './ast.js';
import { readArguments } from './read-expression.js';
import { TokenCursor, type SyntaxLimits } from './token-cursor.js';
import type { Token } from './tokens.js';
import { checkTreeDepth, treeDepthMax } from './tree-depth.js';

/**
 * Parses `Entity.clause(…).clause(…)`. A final `;` is optional, and so is a leading `()=>`, which
 * clients send when they convert a function to text.
 *
 * @throws EngineError `query-syntax` (span and position), `query-too-long`, `query-too-deep`
 */
export function parseQuery(text: string, limits: SyntaxLimits): QuerySyntax {
  const cursor = new TokenCursor(text, limits);
  skipFunctionHead(cursor);
  const query = readQuery(cursor);
  readEnd(cursor);
  cursor.end();
  // Every node has at least one token, so few tokens cannot make a deep tree.
  const roots = query.clauses.flatMap((clause) => clause.arguments);
  if (cursor.consumedCount > treeDepthMax) checkTreeDepth(roots, text);
  return query;
}

const JAVASCRIPT = /^\s*(?:await|return|const|let|var)\s/;
const NO_JAVASCRIPT = "A query begins with an entity: 'Orders.filter(p=>p.id==id)'.";
const STATEMENT = /^\s*(?:select|insert|update|delete|with)\s/i;
const NO_STATEMENT =
  "This is not SQL. A query begins with an entity: 'Orders.filter(p=>p.id==id)'.";

function skipFunctionHead(cursor: TokenCursor): void {
  if (!cursor.take('(')) return;
  cursor.expect(')', "the ')' of '()=>'");
  cursor.expect('=>');
}

/** The dotted name of the entity ends before the first name that is called. */
function readQuery(cursor: TokenCursor): QuerySyntax {
  const first = cursor.expect('name', 'the name of an entity');
  let entity = first.value;
  let entitySpan: Span = { start: first.start, end: first.end };
  const clauses: ClauseSyntax[] = [];
  while (cursor.take('.')) {
    const name = cursor.expect('name', 'a name');
    if (clauses.length > 0 || cursor.token.kind === '(') {
      clauses.push(readClause(cursor, name));
    } else {
      entity += `.${name.value}`;
      entitySpan = cursor.spanFrom(first.start);
    }
  }
  return { kind: 'query', entity, entitySpan, clauses };
}

function readClause(cursor: TokenCursor, name: Token): ClauseSyntax {
  if (cursor.token.kind !== '(') {
    throw cursor.unexpected("'('", `To read one property, write '.map(p=>p.${name.value})'.`);
  }
  const { open, arguments: given } = readArguments(cursor);
  const nameSpan = { start: name.start, end: name.end };
  const span = cursor.spanFrom(name.start);
  return { name: name.value, nameSpan, open, arguments: given, span };
}

function readEnd(cursor: TokenCursor): void {
  const ended = cursor.take(';');
  if (cursor.token.kind === 'end') return;
  const expected = ended ? 'the end of the text' : "'.', ';' or the end of the text";
  throw cursor.unexpected(expected, hintForRest(cursor));
}

function hintForRest({ text, token }: TokenCursor): string | undefined {
  if (token.kind === '[') return "Write '.take(1)', or '.page(1, 20)' for the first 20 rows.";
  if (STATEMENT.test(text)) return NO_STATEMENT;
  return JAVASCRIPT.test(text) ? NO_JAVASCRIPT : undefined;
}
