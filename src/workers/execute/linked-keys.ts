/** The keys that rows of a write get from rows that were stored before them, maybe in another source. */
import {
  type ByteRow,
  canonicalText,
  invariant,
  type RowsWrite,
  type WriteRow,
} from '../../engine/index.js';
import { storedText } from './stored-text.js';

type Key = readonly (string | null)[];

/** The canonical texts of properties in a stored row, which has these columns. */
export function linkedKey(
  row: ByteRow,
  columns: readonly string[],
  { names, write }: { readonly names: readonly string[]; readonly write: RowsWrite },
): Key {
  return names.map((name) => {
    const index = columns.indexOf(name);
    invariant(index !== -1, `the stored ${name} is returned`);
    const text = storedText(row, index);
    const field = write.fields.find(({ property }) => property === name);
    return text === null || !field ? text : (canonicalText(field.type, text) ?? text);
  });
}

export function giveKey({ given }: WriteRow, names: readonly string[], key: Key): void {
  for (const [index, name] of names.entries()) given.set(name, key[index] ?? null);
}
