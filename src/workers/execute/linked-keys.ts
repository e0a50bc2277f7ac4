/** The keys that rows of a write get from rows that were stored before them, maybe in another source. */
import {
  type ByteRow,
  canonicalText,
  invariant,
  type PropertyType,
  type RowsWrite,
  rowsWriteOf,
  type StatementPlan,
  type WriteRow,
} from '../../engine/index.js';
import { keysAs } from './keys-to-ask.js';
import { storedText } from './stored-text.js';

type Key = readonly (string | null)[];

/** A column of a stored row. */
interface StoredColumn {
  readonly name: string;
  readonly type: PropertyType;
}

/** Properties of a stored row, which has these columns. */
interface StoredKey {
  readonly row: ByteRow;
  readonly columns: readonly StoredColumn[];
  readonly names: readonly string[];
}

/** The canonical texts of the properties, as those of `names` in a write of `statement` can have them. */
export function linkedKey(
  { row, columns, names: stored }: StoredKey,
  statement: StatementPlan,
  names: readonly string[],
): Key {
  return stored.map((name, at) => {
    const index = columns.findIndex((column) => column.name === name);
    const column = columns[index];
    invariant(column, `the stored ${name} is returned`);
    const text = storedText(row, index);
    if (text === null) return null;
    const canonical = canonicalText(column.type, text) ?? text;
    const type = typeOf(rowsWriteOf(statement), names[at]);
    const [whole] = keysAs({ type, dialect: statement.dialect }, column.type, [canonical]);
    return whole ?? canonical;
  });
}

/** The columns that a statement returns for a written row. */
export function returnedColumns(write: RowsWrite): readonly StoredColumn[] {
  return write.returned.map((name) => ({ name, type: typeOf(write, name) }));
}

function typeOf({ fields }: RowsWrite, name: string | undefined): PropertyType {
  return fields.find(({ property }) => property === name)?.type ?? 'any';
}

const numbers: ReadonlySet<PropertyType> = new Set(['integer', 'decimal', 'number']);

/** Whether two values of a property are the same, as `7` and `7.00` of a number are. */
export function isSameValue(
  write: RowsWrite,
  name: string,
  [one, other]: readonly [string | null | undefined, string | null | undefined],
): boolean {
  if (one === other) return true;
  return numbers.has(typeOf(write, name)) && !!one && !!other && shortest(one) === shortest(other);
}

/** The text of a number without the zeros at the end of its fraction. */
function shortest(text: string): string {
  if (!text.includes('.') || /e/i.test(text)) return text;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

export function giveKey({ given }: WriteRow, names: readonly string[], key: Key): void {
  for (const [index, name] of names.entries()) given.set(name, key[index] ?? null);
}
