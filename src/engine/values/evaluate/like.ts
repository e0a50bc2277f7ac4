/** The operator LIKE, in a time that grows with the length of the text only, whatever the pattern. */
import { codePointsOf } from '../characters.js';
import { requireBoundedText } from './bounded-text.js';
import { EvaluationError } from './evaluation-error.js';

/** Stands for any character; the others are code points. */
const ANY = -1;
/** The most signs between two `%` if one of them is `_`: the time of these is a multiple of the text's length. */
const WILD_SIGNS_MAX = 100;

/**
 * Whether the whole text matches. A backslash makes the next character literal. Throws {@link EvaluationError} for a
 * pattern that is too long or too complex.
 */
export function isLike(text: string, pattern: string): boolean {
  requireBoundedText(pattern.length);
  const letters = codePointsOf(text);
  const [first = [], ...others] = partsOf(pattern);
  const last = others.pop();
  if (last === undefined) return letters.length === first.length && isAt(letters, 0, first);
  const end = letters.length - last.length;
  if (!isAt(letters, 0, first) || !isAt(letters, end, last)) return false;
  let from = first.length;
  for (const part of others) {
    // The first place of a part leaves the most to the others.
    const place = part.includes(ANY)
      ? placeOfWild(letters, from, part)
      : placeOf(letters, from, part);
    if (place === undefined) return false;
    from = place + part.length;
  }
  return from <= end;
}

function placeOfWild(letters: Int32Array, from: number, part: readonly number[]) {
  if (part.length > WILD_SIGNS_MAX) {
    const message = `A pattern has more than ${WILD_SIGNS_MAX} signs with _ between two %.`;
    throw new EvaluationError('too-complex', message);
  }
  for (let at = from; at + part.length <= letters.length; at += 1)
    if (isAt(letters, at, part)) return at;
  return undefined;
}

/** The search of Knuth, Morris and Pratt. */
function placeOf(letters: Int32Array, from: number, part: readonly number[]) {
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = from; at < letters.length && matched < part.length; at += 1) {
    while (matched > 0 && letters[at] !== part[matched]) matched = borders[matched - 1] ?? 0;
    if (letters[at] === part[matched]) matched += 1;
    if (matched === part.length) return at + 1 - matched;
  }
  return part.length === 0 ? from : undefined;
}

/** For each start of the part, how many of its first signs are also its last ones. */
function bordersOf(part: readonly number[]): readonly number[] {
  const borders = [0];
  let matched = 0;
  for (let at = 1; at < part.length; at += 1) {
    while (matched > 0 && part[at] !== part[matched]) matched = borders[matched - 1] ?? 0;
    if (part[at] === part[matched]) matched += 1;
    borders.push(matched);
  }
  return borders;
}

/** What is between the signs `%`. */
function partsOf(pattern: string): number[][] {
  let part: number[] = [];
  const parts = [part];
  const signs = codePointsOf(pattern);
  for (let at = 0; at < signs.length; at += 1) {
    const sign = signs[at] ?? ANY;
    if (sign === PERCENT) parts.push((part = []));
    else if (sign === UNDERSCORE) part.push(ANY);
    else if (sign === BACKSLASH && at + 1 < signs.length) part.push(signs[(at += 1)] ?? ANY);
    else part.push(sign);
  }
  return parts;
}

const [PERCENT, UNDERSCORE, BACKSLASH] = codePointsOf('%_\\');

function isAt(letters: Int32Array, from: number, part: readonly number[]): boolean {
  if (from < 0 || from + part.length > letters.length) return false;
  return part.every((sign, at) => sign === ANY || sign === letters[from + at]);
}
