/** The keys that rows of a write get from rows that were stored before them, maybe in another source. */
import {
  type ByteRow,
  canonicalText,
  invariant,
  type PropertyType,
  type RowsWrite,
  type WriteRow,
} from '../../engine/index.js';
import { storedText } from './stored-text.js';

type Key = readonly (string | null)[];

/** A column of a stored row. */
interface StoredColumn {
  readonly name: string;
  readonly type: PropertyType;
}

/** The canonical texts of properties in a stored row, which has these columns. */
export function linkedKey(
  row: ByteRow,
  columns: readonly StoredColumn[],
  names: readonly string[],
): Key {
  return names.map((name) => {
    const index = columns.findIndex((column) => column.name === name);
    const column = columns[index];
    invariant(column, `the stored ${name} is returned`);
    const text = storedText(row, index);
    return text === null ? null : (canonicalText(column.type, text) ?? text);
  });
}

/** The columns that a statement returns for a written row. */
export function returnedColumns({ returned, fields }: RowsWrite): readonly StoredColumn[] {
  return returned.map((name) => {
    const field = fields.find(({ property }) => property === name);
    return { name, type: field?.type ?? 'any' };
  });
}

export function giveKey({ given }: WriteRow, names: readonly string[], key: Key): void {
  for (const [index, name] of names.entries()) given.set(name, key[index] ?? null);
}
