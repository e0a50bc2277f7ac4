/** Prints rows as a table. The first rows determine the widths of the columns. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { visibleText } from '../gateway/visible-text.js';
import { bodyOf, formatProblem, reportRefusal } from './ask-gateway.js';
import type { CommandCall, Terminal } from './command.js';

/** How many rows determine the widths. */
const SAMPLE_ROWS = 200;
const WIDTH_MAX = 60;

/** Prints an answer of NDJSON, or its error. Returns the exit code. */
export async function printTable(response: Response, call: CommandCall): Promise<number> {
  if (!response.ok) return reportRefusal(response, call);
  const table = new Table(call.terminal);
  for await (const line of createInterface({ input: Readable.from(bodyOf(response)) })) {
    const value: unknown = parse(line);
    const problem = problemIn(value);
    if (problem !== undefined) {
      table.end();
      call.terminal.report(`rowgate: ${problem}`);
      return 1;
    }
    table.take(value);
  }
  table.end();
  return 0;
}

/** After rows have been sent, an error is the last line. */
function problemIn(value: unknown): string | undefined {
  const isOnly = isRow(value) && Object.keys(value).length === 1;
  return isOnly ? formatProblem(value['error']) : undefined;
}

/** Takes rows one by one; `end` prints what has not been printed yet, and the number of rows. */
class Table {
  readonly #terminal: Pick<Terminal, 'print' | 'paint'>;
  #waiting: Row[] = [];
  #columns: readonly Column[] | undefined;
  #count = 0;

  constructor(terminal: Pick<Terminal, 'print' | 'paint'>) {
    this.#terminal = terminal;
  }

  take(value: unknown): void {
    // A write may answer with a number.
    if (!isRow(value)) return this.#terminal.print(cellText(value));
    this.#count += 1;
    if (this.#columns) return this.#print(value, this.#columns);
    this.#waiting.push(value);
    if (this.#waiting.length >= SAMPLE_ROWS) this.#begin();
  }

  end(): void {
    if (!this.#columns && this.#waiting.length > 0) this.#begin();
    const { print, paint } = this.#terminal;
    print(paint('dim', this.#count === 1 ? '1 row' : `${this.#count} rows`));
  }

  #begin(): void {
    const { print, paint } = this.#terminal;
    const columns = columnsOf(this.#waiting);
    this.#columns = columns;
    print(paint('bold', joined(columns.map((each) => padded(each.name, each)))));
    print(paint('dim', columns.map(({ width }) => '─'.repeat(width)).join('  ')));
    for (const row of this.#waiting) this.#print(row, columns);
    this.#waiting = [];
  }

  #print(row: Row, columns: readonly Column[]): void {
    this.#terminal.print(joined(columns.map((each) => padded(cellText(row[each.name]), each))));
  }
}

type Row = Readonly<Record<string, unknown>>;

interface Column {
  readonly name: string;
  readonly width: number;
  readonly isNumeric: boolean;
}

function isRow(value: unknown): value is Row {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
  );
}

function columnsOf(rows: readonly Row[]): readonly Column[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.map((name) => {
    const values = rows.map((row) => row[name]);
    const widths = values.map((value) => widthOf(cellText(value)));
    return {
      name,
      width: Math.min(WIDTH_MAX, Math.max(widthOf(name), ...widths)),
      isNumeric: values.every((value) => value === null || isLosslessNumber(value)),
    };
  });
}

/** A value on one line: a string as it is, anything else as JSON. */
function cellText(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : (stringify(value) ?? '');
  return visibleText(text);
}

function padded(text: string, { width, isNumeric }: Column): string {
  const shown = widthOf(text) <= width ? text : cut(text, width);
  const space = ' '.repeat(Math.max(0, width - widthOf(shown)));
  return isNumeric ? space + shown : shown + space;
}

function cut(text: string, width: number): string {
  let shown = '';
  for (const character of text) {
    if (widthOf(shown + character) >= width) break;
    shown += character;
  }
  return `${shown}…`;
}

const WIDE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;

/** The number of columns that a string occupies on a terminal. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (!/\p{Mn}/u.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

function joined(cells: readonly string[]): string {
  return cells.join('  ').trimEnd();
}
