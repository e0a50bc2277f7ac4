/** The blocks of code in a document: fenced ones, and those that are indented by four spaces. */
import { readFileSync } from 'node:fs';

export interface Block {
  readonly line: number;
  /** What follows the fence; `indented` without one. */
  readonly language: string;
  readonly text: string;
}

const FENCED = /^```(.*)\n([\s\S]*?)^```$/gm;
/** An indented line after an empty one, and all that follow it: in a list, such lines are text. */
const INDENTED = /(?<=^(?! *(?:[-*]|\d+\.) |    )\S.*\n\n)(?: {4}.*\n|\n(?= {4}))+/gm;

/**
 * The text of the only block of a document that begins like this. `commands.test.ts` finds the calls, to know which blocks
 * are run: both arguments are literals.
 */
export function blockOf(page: string, begin: string): string {
  const [first, second] = blocksIn(read(page)).filter((block) => begins(block, begin));
  if (!first || second) throw new Error(`${page} needs exactly one block that begins: ${begin}`);
  return first.text;
}

export function begins({ text }: Block, begin: string): boolean {
  return text.trimStart().startsWith(begin);
}

/** The blocks of a document in a language. `commands.test.ts` finds the calls: both arguments are literals. */
export function blocksOf(page: string, language: string): readonly Block[] {
  return blocksIn(read(page)).filter((block) => block.language === language);
}

/** All blocks, in order. */
export function blocksIn(page: string): readonly Block[] {
  const fenced = [...page.matchAll(FENCED)].map(({ 1: language = '', 2: text = '', index }) => ({
    line: lineAt(page, index),
    language,
    text: text.trimEnd(),
  }));
  return [...fenced, ...indentedBlocks(page)].sort((one, other) => one.line - other.line);
}

function indentedBlocks(page: string): readonly Block[] {
  // The lines of fenced blocks are left out, but counted.
  const rest = page.replaceAll(FENCED, (whole: string) => whole.replaceAll(/^.*$/gm, '-'));
  return [...rest.matchAll(INDENTED)].map(({ 0: text, index }) => ({
    line: lineAt(rest, index),
    language: 'indented',
    text: text.replaceAll(/^ {4}/gm, '').trimEnd(),
  }));
}

function lineAt(page: string, index: number): number {
  return page.slice(0, index).split('\n').length;
}

function read(page: string): string {
  return readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
}
