/** The clauses of a query, by name and alias. */
import { EngineError } from '../errors.js';
import type { ClauseSyntax } from '../language/ast.js';
import { didYouMeanWord } from '../language/did-you-mean.js';
import { writeClauseNames } from './write/write-clauses.js';

const readingNames = {
  filter: 'filter',
  where: 'filter',
  map: 'map',
  select: 'map',
  distinct: 'distinct',
  sort: 'sort',
  order: 'sort',
  page: 'page',
  first: 'first',
  last: 'last',
  take: 'take',
  after: 'after',
  having: 'having',
  count: 'count',
  include: 'include',
} as const;

export type ClauseName = (typeof readingNames)[keyof typeof readingNames];

const clauseNames: ReadonlyMap<string, ClauseName> = new Map(Object.entries(readingNames));

export const clauseWords: readonly string[] = [...clauseNames.keys(), ...writeClauseNames];

/** Groups of clauses that exclude each other. */
const alternatives: readonly (readonly ClauseName[])[] = [
  ['map', 'distinct'],
  ['page', 'first', 'last', 'take'],
  ['after', 'count'],
];

export interface Clauses {
  readonly filters: readonly ClauseSyntax[];
  readonly includeClauses: readonly ClauseSyntax[];
  /** A clause that may occur once; undefined when it is absent. */
  one(name: Exclude<ClauseName, 'filter' | 'include'>): ClauseSyntax | undefined;
}

/** Sorts clauses by name. Throws `unknown-clause` and `duplicate-clause`. */
export function sortClauses(clauses: readonly ClauseSyntax[]): Clauses {
  const filters: ClauseSyntax[] = [];
  const includeClauses: ClauseSyntax[] = [];
  const single = new Map<ClauseName, ClauseSyntax>();
  for (const clause of clauses) {
    const name = clauseNames.get(clause.name);
    if (!name) throw unknownClause(clause);
    if (name === 'filter') filters.push(clause);
    else if (name === 'include') includeClauses.push(clause);
    else {
      rejectSecond(single, name, clause);
      single.set(name, clause);
    }
  }
  return { filters, includeClauses, one: (name) => single.get(name) };
}

function rejectSecond(
  single: ReadonlyMap<ClauseName, unknown>,
  name: ClauseName,
  at: ClauseSyntax,
) {
  const group = alternatives.find((names) => names.includes(name)) ?? [name];
  const earlier = group.find((each) => single.has(each));
  if (earlier === undefined) return;
  const message =
    earlier === name
      ? `Clause '${name}' is given twice.`
      : `Clauses '${earlier}' and '${name}' cannot be combined.`;
  throw new EngineError('duplicate-clause', message, { span: at.nameSpan });
}

function unknownClause({ name, nameSpan: span }: ClauseSyntax): EngineError {
  const hint =
    aggregateHint(name) ??
    didYouMeanWord(name, clauseWords) ??
    `Clauses that read are ${[...new Set(clauseNames.values())].join(', ')}.`;
  return new EngineError('unknown-clause', `There is no clause '${name}'.`, { span, hint });
}

function aggregateHint(name: string): string | undefined {
  if (!['avg', 'max', 'min', 'sum'].includes(name)) return undefined;
  return `Aggregates are written in 'map': 'map(p=>({value: ${name}(p.price)}))'.`;
}
