/** The lines of the table: the rows, and below each unfolded cell the included rows. */
import { type Column, columnsOf, isNested, nestedRows, type Row } from './columns.js';

export interface Line {
  /** `head`: the names of the columns of included rows. */
  readonly kind: 'row' | 'head';
  /** Empty in a head. */
  readonly row: Row;
  readonly columns: readonly Column[];
  readonly depth: number;
  /** With the kind, a unique key, such as `3/details/0`. */
  readonly path: string;
}

/** Returns a function that adds the lines of a row, given the paths of the unfolded cells. */
export function lineAdder(columns: readonly Column[], unfolded: ReadonlySet<string>) {
  return (lines: Line[], row: Row, index: number): void =>
    addRow(lines, row, { columns, depth: 0, path: `${index}` });

  function addRow(lines: Line[], row: Row, at: Pick<Line, 'columns' | 'depth' | 'path'>): void {
    lines.push({ kind: 'row', row, ...at });
    if (unfolded.size === 0) return;
    for (const { name } of at.columns) {
      const path = `${at.path}/${name}`;
      if (!unfolded.has(path) || !isNested(row[name])) continue;
      const inner = nestedRows(row[name]);
      const depth = at.depth + 1;
      const columnsInside = columnsOf(inner);
      lines.push({ kind: 'head', row: {}, columns: columnsInside, depth, path });
      for (const [index, each] of inner.entries()) {
        addRow(lines, each, { columns: columnsInside, depth, path: `${path}/${index}` });
      }
    }
  }
}
