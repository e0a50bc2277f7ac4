/** The clauses of a query: their names and aliases, and what is written of each. */
import { EngineError } from '../errors.js';
import type { ClauseSyntax } from '../language/ast.js';
import { didYouMean } from '../language/did-you-mean.js';

export type ClauseName = 'filter' | 'include';

const clauseNames = new Map<string, ClauseName>([
  ['filter', 'filter'],
  ['where', 'filter'],
  ['include', 'include'],
]);

/** The clauses of a sentence, by what they are; each list in the order of the text. */
export type Clauses = Readonly<Record<ClauseName, readonly ClauseSyntax[]>>;

/** Sorts clauses by name. Throws `unknown-clause`. */
export function sortClauses(clauses: readonly ClauseSyntax[]): Clauses {
  const sorted: Record<ClauseName, ClauseSyntax[]> = { filter: [], include: [] };
  for (const clause of clauses) {
    const name = clauseNames.get(clause.name);
    if (!name) throw unknownClause(clause);
    sorted[name].push(clause);
  }
  return sorted;
}

function unknownClause({ name, nameSpan }: ClauseSyntax): EngineError {
  const hint = didYouMean(name, [...clauseNames.keys()]);
  return new EngineError('unknown-clause', `There is no clause '${name}'.`, {
    span: nameSpan,
    hint,
  });
}
