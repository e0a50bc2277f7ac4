/** Rows of an update that are looked up, and locked, before anything is written for them. */
import type { Sentence } from '../../compiled-query.js';
import type { RowsWrite } from '../../compiled-write.js';
import { rowsWriteOf } from './rows-write.js';
import { findKeys } from './row-likeness.js';
import { Texts } from './texts.js';
import { factsOf } from './write-facts.js';
import { WriteRow } from './write-row.js';

/** The sentence of an update as one that sets nothing: it tells which rows are there. */
export function lookUpSentence(sentence: Sentence): Sentence {
  const write = rowsWriteOf(sentence);
  const found = known.get(write) ?? lookUpOf(write);
  known.set(write, found);
  return { ...sentence, includes: [], write: found };
}

/** The row with its key alone. */
export function lookUpRow(sentence: Sentence, row: WriteRow): WriteRow {
  const write = rowsWriteOf(sentence);
  const { names } = factsOf(write);
  const key = new Texts(names);
  for (const name of findKeys(write, row)) key.set(name, row.given.get(name) ?? null);
  return new WriteRow(row.place, key, new Texts(names), []);
}

const known = new WeakMap<RowsWrite, RowsWrite>();

/** What a row must meet once it is written is not asked of it before. */
function lookUpOf({ checks: _checks, ...write }: RowsWrite): RowsWrite {
  return write;
}
