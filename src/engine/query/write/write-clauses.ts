/** The clauses that write, by name and alias. */
import type { WriteAction } from '../../compiled-write.js';
import { EngineError } from '../../errors.js';
import type { ClauseSyntax } from '../../language/ast.js';

/** What a clause does, and to which rows if it has no filter. */
export interface WriteClause {
  readonly action: WriteAction;
  /** Which rows are written: that of an object, those of a list of objects, or all rows. */
  readonly rows: 'one' | 'many' | 'all';
}

const table: Readonly<Record<string, WriteClause>> = {
  insert: { action: 'insert', rows: 'one' },
  push: { action: 'insert', rows: 'one' },
  bulkInsert: { action: 'insert', rows: 'many' },
  update: { action: 'update', rows: 'one' },
  updateAll: { action: 'update', rows: 'all' },
  upsert: { action: 'upsert', rows: 'one' },
  merge: { action: 'upsert', rows: 'one' },
  bulkUpsert: { action: 'upsert', rows: 'many' },
  bulkMerge: { action: 'upsert', rows: 'many' },
  delete: { action: 'delete', rows: 'one' },
  remove: { action: 'delete', rows: 'one' },
  deleteAll: { action: 'delete', rows: 'all' },
};

export const writeClauseNames: readonly string[] = Object.keys(table);

/** What the clause of that name does; undefined for a clause that reads. */
export function writeClauseNamed(name: string): WriteClause | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The clauses of a statement that writes. */
export interface WrittenClauses {
  readonly clause: ClauseSyntax;
  readonly write: WriteClause;
  readonly filters: readonly ClauseSyntax[];
  readonly includeClauses: readonly ClauseSyntax[];
}

/**
 * Sorts the clauses of a statement that writes; undefined if none of them writes. Throws
 * `duplicate-clause` for a second clause that writes, and `wrong-arguments` for clauses that cannot be
 * combined.
 */
export function sortWrittenClauses(clauses: readonly ClauseSyntax[]): WrittenClauses | undefined {
  const clause = clauses.find(({ name }) => writeClauseNamed(name));
  const write = clause && writeClauseNamed(clause.name);
  if (!write) return undefined;
  const others = clauses.filter((each) => each !== clause);
  for (const other of others) checkBeside(clause, write, other);
  const filters = others.filter(({ name }) => isFilter(name));
  return { clause, write, filters, includeClauses: others.filter(({ name }) => !isFilter(name)) };
}

function checkBeside(clause: ClauseSyntax, { action }: WriteClause, other: ClauseSyntax) {
  const { name, nameSpan: span } = other;
  if (writeClauseNamed(name)) {
    const message =
      name === clause.name
        ? `Clause '${name}' is given twice.`
        : `Clauses '${clause.name}' and '${name}' cannot be combined.`;
    throw new EngineError('duplicate-clause', message, { span });
  }
  const isFiltered = action === 'update' || action === 'delete';
  if (name === 'include' || (isFilter(name) && isFiltered)) return;
  const message = `Clause '${name}' cannot be combined with '${clause.name}'.`;
  throw new EngineError('wrong-arguments', message, { span });
}

function isFilter(name: string): boolean {
  return name === 'filter' || name === 'where';
}
