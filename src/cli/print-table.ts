/** Prints rows as a table. The first rows determine the widths of the columns. */
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { isObject } from '../gateway/json-value.js';
import { visibleText } from '../gateway/visible-text.js';
import { bodyOf, reportRefusal } from './ask-gateway.js';
import type { GatewayCall, Terminal } from './command.js';
import { lateProblem } from './late-problem.js';
import { readLines } from './read-lines.js';

/** How many rows determine the widths. */
const SAMPLE_ROWS = 200;
const WIDTH_MAX = 60;

/** Prints an answer of NDJSON, or its error. Returns the exit code. */
export async function printTable(response: Response, call: GatewayCall): Promise<number> {
  if (!response.ok) return reportRefusal(response, call);
  const table = openTable(call.terminal);
  let held: { readonly value: unknown; readonly problem: string } | undefined;
  for await (const line of readLines(bodyOf(response))) {
    if (held) table.take(held.value);
    const value: unknown = parse(line, undefined, { onDuplicateKey });
    const problem = lateProblem(value);
    held = problem === undefined ? undefined : { value, problem };
    if (!held) table.take(value);
  }
  table.end();
  if (held) call.terminal.report(`rowgate: ${held.problem}`);
  return held ? 1 : 0;
}

/** A `json` column may repeat a key: the last one counts, as in JavaScript. */
function onDuplicateKey({ newValue }: { readonly newValue: unknown }): unknown {
  return newValue;
}

/** `take` receives rows one by one; `end` prints what has not been printed yet, and the number of rows. */
function openTable({ print, paint }: Terminal) {
  let waiting: Row[] = [];
  let columns: readonly Column[] | undefined;
  let count = 0;
  const printRow = (row: Row, of: readonly Column[]): void =>
    print(joined(of.map((each) => padded(cellText(row[each.name]), each))));
  const begin = (): void => {
    const found = columnsOf(waiting);
    columns = found;
    print(paint('bold', joined(found.map((each) => padded(each.name, each)))));
    print(paint('dim', found.map(({ width }) => '─'.repeat(width)).join('  ')));
    for (const row of waiting) printRow(row, found);
    waiting = [];
  };
  return {
    take: (value: unknown): void => {
      // A write may answer with a number.
      if (!isRow(value)) return print(cellText(value));
      count += 1;
      if (columns) return printRow(value, columns);
      waiting.push(value);
      if (waiting.length >= SAMPLE_ROWS) begin();
    },
    end: (): void => {
      if (!columns && waiting.length > 0) begin();
      print(paint('dim', count === 1 ? '1 row' : `${count} rows`));
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

interface Column {
  readonly name: string;
  readonly width: number;
  readonly isNumeric: boolean;
}

function isRow(value: unknown): value is Row {
  return isObject(value) && !isLosslessNumber(value);
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
