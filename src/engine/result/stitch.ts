/**
 * Rows of a sentence and of its inclusions, put together by key: children are dealt out to their
 * parents row by row, so that the order in which a database interleaves them does not matter.
 */
import type { Inclusion, Sentence } from '../compiled-query.js';
import { invariant } from '../errors.js';
import type { Fields, SentenceWriter } from './writer.js';

/** The rows of one sentence, and what was fetched for each of its inclusions. */
export interface FetchedRows {
  readonly rows: readonly Fields[];
  /** In the order of the sentence's inclusions. */
  readonly inclusions: readonly FetchedChildren[];
}

/** The rows of an inclusion, and which of them belong to a parent's key. */
export interface FetchedChildren {
  readonly parentKeyColumn: number;
  readonly fetched: FetchedRows;
  readonly rowsByKey: ReadonlyMap<string, readonly number[]>;
}

/** The distinct keys under which an inclusion's rows are asked for; nulls have no children. */
export function collectKeys(inclusion: Inclusion, parentRows: readonly Fields[]): string[] {
  const keys = new Set<string>();
  for (const row of parentRows) {
    const key = row[inclusion.parentKeyColumn];
    if (typeof key === 'string') keys.add(key);
  }
  return [...keys];
}

/** Groups the rows of an inclusion by their parent's key. */
export function groupChildren(inclusion: Inclusion, fetched: FetchedRows): FetchedChildren {
  const column = parentColumn(inclusion.sentence);
  const rowsByKey = new Map<string, number[]>();
  for (const [index, row] of fetched.rows.entries()) {
    const key = row[column];
    if (typeof key !== 'string') continue;
    const group = rowsByKey.get(key);
    if (group) group.push(index);
    else rowsByKey.set(key, [index]);
  }
  return { parentKeyColumn: inclusion.parentKeyColumn, fetched, rowsByKey };
}

/** The JSON text of one row with all that it includes. */
export function writeRow(writer: SentenceWriter, fetched: FetchedRows, index: number): string {
  const fields = fetched.rows[index];
  invariant(fields, 'a row of that index');
  if (fetched.inclusions.length === 0) return writer.row(fields, noInclusions);
  const inclusions = fetched.inclusions.map((children, i) => {
    const key = fields[children.parentKeyColumn];
    const indexes = typeof key === 'string' ? children.rowsByKey.get(key) : undefined;
    const childWriter = writer.inclusions[i];
    const inclusion = writer.sentence.inclusions[i];
    invariant(childWriter && inclusion, 'a writer for each inclusion');
    return inclusion.cardinality === 'many'
      ? writeMany(childWriter, children.fetched, indexes ?? noRows)
      : writeOne(childWriter, children.fetched, indexes ?? noRows);
  });
  return writer.row(fields, inclusions);
}

const noInclusions: readonly string[] = [];
const noRows: readonly number[] = [];

function writeMany(writer: SentenceWriter, fetched: FetchedRows, rows: readonly number[]): string {
  if (rows.length === 0) return writer.frame.empty;
  const { open, separator, close } = writer.frame;
  let text = open;
  for (let i = 0; i < rows.length; i += 1) {
    text += (i === 0 ? '' : separator) + writeRow(writer, fetched, rows[i] ?? 0);
  }
  return text + close;
}

function writeOne(writer: SentenceWriter, fetched: FetchedRows, rows: readonly number[]): string {
  const first = rows[0];
  return first === undefined ? 'null' : writeRow(writer, fetched, first);
}

function parentColumn(sentence: Sentence): number {
  const index = sentence.columns.findIndex((column) => column.role === 'parent');
  invariant(index !== -1, 'the sentence of an inclusion lists the key of its parent');
  return index;
}
