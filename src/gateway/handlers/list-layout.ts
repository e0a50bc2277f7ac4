/** The layout of the answers to a list of queries: a JSON list, or one line for each query. */
import type { Call } from '../call.js';
import type { RowsFormat } from '../rows-format.js';

/** The text around the answers. */
export interface ListLayout {
  readonly format: RowsFormat;
  /** The form of the rows inside. */
  readonly form: 'compact' | 'pretty';
  /** Whether the answers have the order of the queries; otherwise each is sent when it is ready. */
  readonly isOrdered: boolean;
  readonly open: string;
  readonly close: string;
  /** The text before the rows of a query. `isFirst`: no other answer was written before. */
  beforeRows(index: number, isFirst: boolean): string;
  /** The text after the rows. `next`: the cursor of the next page. */
  afterRows(next: string | undefined): string;
  /** The text around a problem. */
  problem(index: number, isFirst: boolean, problem: ListedProblem): string;
}

export type ListedProblem = ReturnType<Call['describeFailure']>;

/** The layout for a format of rows; CSV has none. */
export function listLayoutOf(format: RowsFormat): ListLayout {
  if (format.form === 'lines') return linesOf(format);
  return format.form === 'pretty' ? listOf(format, 'pretty', '\n') : listOf(format, 'compact', '');
}

/** A JSON list; `end` separates the answers, which are indented if it ends a line. */
function listOf(format: RowsFormat, form: ListLayout['form'], end: '' | '\n'): ListLayout {
  const start = end === '' ? '' : `${end}  `;
  const before = (_: number, isFirst: boolean): string => (isFirst ? start : `,${start}`);
  return {
    ...{ format, form, isOrdered: true, open: '[', close: `${end}]` },
    beforeRows: before,
    afterRows: () => '',
    problem: (index, isFirst, { body }) => before(index, isFirst) + body,
  };
}

function linesOf(format: RowsFormat): ListLayout {
  return {
    ...{ format, form: 'compact', isOrdered: false, open: '', close: '' },
    beforeRows: (index) => `{"index":${index},"status":200,"result":`,
    afterRows: (next) => (next === undefined ? '}\n' : `,"next":${JSON.stringify(next)}}\n`),
    problem: (index, _, { status, body }) =>
      `{"index":${index},"status":${status},"problem":${body}}\n`,
  };
}

/** Indents rows by two more spaces. JSON has line feeds only between its parts. */
export function indentedRows(bytes: Uint8Array): Uint8Array {
  // One character for each byte.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return Buffer.from(text.replaceAll('\n', '\n  '), 'latin1');
}
