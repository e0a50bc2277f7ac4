/** Suggests names for one that does not exist. */

const nameLengthMax = 64;
const namesMax = 3;

/**
 * Up to three candidates similar to `name`, the most similar first. The distance counts inserted,
 * deleted, changed and swapped characters and ignores case; without `distanceMax`, longer names may have larger ones. Names
 * of more than 64 units get no suggestions.
 */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  distanceMax = Math.max(1, Math.floor(name.length * 0.4)),
): readonly string[] {
  if (name.length > nameLengthMax) return [];
  const wanted = name.toLowerCase();
  const found: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (Math.abs(candidate.length - name.length) > distanceMax) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    // Names of one character are similar only if they are the same.
    const isSimilar = distance < Math.max(name.length, candidate.length);
    if (isSimilar && distance <= distanceMax) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || compare(a.candidate, b.candidate));
  return found.slice(0, namesMax).map(({ candidate }) => candidate);
}

/** `Did you mean 'price' or 'prices'?`, or undefined if no candidate is similar. */
export function didYouMean(
  name: string,
  candidates: Iterable<string>,
  distanceMax?: number,
): string | undefined {
  const quoted = nearest(name, candidates, distanceMax).map((candidate) => `'${candidate}'`);
  const last = quoted.pop();
  if (last === undefined) return undefined;
  return `Did you mean ${quoted.length > 0 ? `${quoted.join(', ')} or ` : ''}${last}?`;
}

/** The names that other languages have for words of this one. */
const namesElsewhere: ReadonlyMap<string, readonly string[]> = new Map([
  ['limit', ['take', 'page']],
  ['skip', ['page', 'after']],
  ['offset', ['page', 'after']],
  ['slice', ['page', 'substring']],
  ['size', ['count', 'length']],
  ['length', ['count']],
  ['findone', ['first']],
  ['findall', ['filter']],
  ['findmany', ['filter']],
  ['orderby', ['sort']],
  ['get', ['filter', 'first']],
  ['find', ['filter', 'first']],
  ['any', ['exists']],
  ['some', ['exists']],
  ['groupby', ['map']],
  ['join', ['include']],
  ['create', ['insert']],
  ['add', ['insert']],
  ['save', ['upsert']],
  ['tolowercase', ['lower']],
  ['touppercase', ['upper']],
  ['substr', ['substring']],
  ['trimstart', ['ltrim']],
  ['trimend', ['rtrim']],
  ['padstart', ['lpad']],
  ['padend', ['rpad']],
  ['tofixed', ['round']],
  ['parseint', ['toInteger']],
  ['parsefloat', ['toNumber']],
  ['pow', ['power']],
  ['coalesce', ['nvl']],
  ['ifnull', ['nvl']],
  ['getfullyear', ['year']],
  ['getmonth', ['month']],
  ['getdate', ['day']],
  ['gethours', ['hour']],
]);

/** {@link didYouMean} for words of the language, which may have other names in other languages. */
export function didYouMeanWord(name: string, words: Iterable<string>): string | undefined {
  const wanted = new Set(words);
  const known = namesElsewhere.get(name.toLowerCase())?.filter((word) => wanted.has(word)) ?? [];
  if (known.length === 0) return didYouMean(name, wanted);
  return `Did you mean ${known.map((word) => `'${word}'`).join(' or ')}?`;
}

/** The same order on every machine, unlike `localeCompare`. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The optimal string alignment distance, row by row. */
function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = cell(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const shifted = Math.min(cell(last, column), cell(current, column - 1)) + 1;
      const swapped = isSwap(a, b, { row, column }) ? cell(beforeLast, column - 2) + 1 : changed;
      current.push(Math.min(changed, shifted, swapped));
    }
    beforeLast = last;
    last = current;
  }
  return cell(last, b.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? 0;
}

function isSwap(a: string, b: string, at: { readonly row: number; readonly column: number }) {
  const { row, column } = at;
  if (row < 2 || column < 2) return false;
  return a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
}
