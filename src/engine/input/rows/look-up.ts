/** Looks up and locks the rows of an update before anything is written. */
import type { StatementPlan } from '../../compiled-query.js';
import { rowsWriteOf, factsOf } from './write-facts.js';
import { findKeys } from './row-likeness.js';
import { Texts } from './texts.js';
import { WriteRow } from './write-row.js';

/** The statement of an update without assignments, which returns the rows that exist. */
export function lookUpStatement(statement: StatementPlan): StatementPlan {
  return { ...statement, includes: [], write: factsOf(rowsWriteOf(statement)).lookUp };
}

/** The row with nothing but its key. */
export function lookUpRow(statement: StatementPlan, row: WriteRow): WriteRow {
  const write = rowsWriteOf(statement);
  const { names } = factsOf(write);
  const key = new Texts(names);
  for (const name of findKeys(write, row)) key.set(name, row.given.get(name) ?? null);
  return new WriteRow(row.place, key, new Texts(names), []);
}
