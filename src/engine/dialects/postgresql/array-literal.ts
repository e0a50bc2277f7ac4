/** Array literals of PostgreSQL (manual, 8.15.2). */

import type { NestedTexts } from '../../values/array-text.js';

/** The array literal for a list. */
export function postgresqlArray(texts: NestedTexts): string {
  return `{${texts.map(arrayItem).join(',')}}`;
}

/** For rows of texts, the array literal of each column. */
export function columnArrays(rows: readonly (readonly (string | null)[])[]): readonly string[] {
  const [first = []] = rows;
  return first.map((_, column) => postgresqlArray(rows.map((row) => row[column] ?? null)));
}

const needsEscape = /["\\]/;
/** Integers of the database have at most this many digits; longer texts are quoted like any other. */
const PLAIN_DIGITS_MAX = 18;

/**
 * An item of an array literal. Every text but a plain number is quoted, so that none is read as NULL or
 * a brace.
 */
function arrayItem(text: string | null | NestedTexts): string {
  if (text === null) return 'NULL';
  if (typeof text !== 'string') return postgresqlArray(text);
  if (isPlainNumber(text)) return text;
  return `"${needsEscape.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
}

/** A hot path: a list of keys may have hundreds. */
function isPlainNumber(text: string): boolean {
  const { length } = text;
  if (length === 0 || length > PLAIN_DIGITS_MAX) return false;
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}
