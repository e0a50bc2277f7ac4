/**
 * Reads the examples of docs/language.md: a `query` block, an optional `json data` block, and the
 * answer in a `json` block or the error in a `json error` block; and tables of expressions.
 */
import { isLosslessNumber } from 'lossless-json';

/** A query with its answer. */
export interface QueryExample {
  readonly line: number;
  readonly query: string;
  /** The data as JSON text. */
  readonly data: string | undefined;
  readonly isError: boolean;
  readonly shown: string;
}

const block =
  /```query\n([\s\S]*?)\n```\n(?:\n```json data\n([\s\S]*?)\n```\n)?\n```json( error)?\n([\s\S]*?)```/g;

/** The queries of a page, in order. */
export function queriesIn(text: string): readonly QueryExample[] {
  return [...text.matchAll(block)].map(
    ({ 1: query = '', 2: data, 3: error, 4: shown = '', index }) => ({
      line: text.slice(0, index).split('\n').length,
      query,
      data,
      isError: error !== undefined,
      shown: shown.trimEnd(),
    }),
  );
}

/** The page with other answers, in the order of its queries. */
export function withAnswers(text: string, answers: readonly string[]): string {
  let index = 0;
  return text.replaceAll(block, (whole: string, ...[, , , shown]: string[]) => {
    const answer = answers[index++] ?? '';
    return `${whole.slice(0, whole.length - (shown ?? '').length - 3)}${answer}\n\`\`\``;
  });
}

/** An expression and its value as JSON text. */
export interface ValueExample {
  readonly expression: string;
  readonly value: string;
}

/** The rows of the tables whose last columns are `example` or `expression`, and `gives`. */
export function valuesIn(text: string): readonly ValueExample[] {
  const tables = text
    .split('\n\n')
    .filter((part) => /\| (example|expression) \| gives \|\n/.test(part));
  return tables.flatMap((table) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((row) => {
        const cells = row.slice(1, -1).split(/(?<!\\)\|/);
        const [expression = '', value = ''] = cells.slice(-2).map(codeOf);
        return { expression, value };
      }),
  );
}

function codeOf(cell: string): string {
  return cell.trim().slice(1, -1).replaceAll('\\|', '|');
}

const LINE_MAX = 100;

/** Formats JSON with a row per line, or a member per line if a row is too long. */
export function layOut(value: unknown, indent = ''): string {
  const line = oneLine(value);
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return line;
  const isList = Array.isArray(value);
  const isRows = isList && indent === '' && value.length > 1;
  if (!isRows && indent.length + line.length <= LINE_MAX) return line;
  const inner = `${indent}  `;
  const members = isList
    ? value.map((each) => layOut(each, inner))
    : Object.entries(value).map(
        ([name, each]) => `${JSON.stringify(name)}: ${layOut(each, inner)}`,
      );
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${inner}${members.join(`,\n${inner}`)}\n${indent}${close}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (isLosslessNumber(value)) return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${oneLine(each)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
