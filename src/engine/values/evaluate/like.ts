/** The operator LIKE, in a time that grows with the length of the text only, whatever the pattern. */
import { EvaluationError } from './evaluation-error.js';

/** Stands for any character; texts have single characters. */
const ANY = '_ any';
/** The most signs between two `%` if one of them is `_`: the time of these is a multiple of the text's length. */
const WILD_SIGNS_MAX = 100;

/** Whether the whole text matches. A backslash makes the next character literal. */
export function isLike(text: string, pattern: string): boolean {
  const letters = [...text];
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

function placeOfWild(letters: readonly string[], from: number, part: readonly string[]) {
  if (part.length > WILD_SIGNS_MAX) {
    const message = `A pattern has more than ${WILD_SIGNS_MAX} signs with _ between two %.`;
    throw new EvaluationError('too-complex', message);
  }
  for (let at = from; at + part.length <= letters.length; at += 1)
    if (isAt(letters, at, part)) return at;
  return undefined;
}

/** The search of Knuth, Morris and Pratt. */
function placeOf(letters: readonly string[], from: number, part: readonly string[]) {
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
function bordersOf(part: readonly string[]): readonly number[] {
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
function partsOf(pattern: string): string[][] {
  let part: string[] = [];
  const parts = [part];
  for (const sign of pattern.match(/\\?[^]/gu) ?? []) {
    if (sign === '%') parts.push((part = []));
    else if (sign === '_') part.push(ANY);
    else part.push(sign.length > 1 && sign.startsWith('\\') ? sign.slice(1) : sign);
  }
  return parts;
}

function isAt(letters: readonly string[], from: number, part: readonly string[]): boolean {
  if (from < 0 || from + part.length > letters.length) return false;
  return part.every((sign, at) => sign === ANY || sign === letters[from + at]);
}
