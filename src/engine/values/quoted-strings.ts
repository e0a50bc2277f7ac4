/**
 * Finds the strings in double quotes of JSON and of array literals. Regular expressions would find them too, but V8's
 * run out of memory on strings of more than 8 million characters.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** How the parts of a text are replaced. */
export interface Replacements {
  /** A string with its quotes. */
  readonly string: (part: string) => string;
  /** What is between two strings. */
  readonly between: (part: string) => string;
}

/** Replaces the strings of a text, and the parts between them. */
export function replaceAround(text: string, { string, between }: Replacements): string {
  let replaced = '';
  let at = 0;
  for (let start = text.indexOf('"'); start !== -1; start = text.indexOf('"', at)) {
    const end = stringEnd(text, start);
    if (end === -1) break;
    replaced += between(text.slice(at, start)) + string(text.slice(start, end));
    at = end;
  }
  return replaced + between(text.slice(at));
}

/** Where the string that begins at the quote at `start` ends, after its last quote; -1 if it does not end. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return -1;
}
