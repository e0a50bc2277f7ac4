/**
 * Groups keys that a database may consider equal although their texts differ. Each database decides by the collation
 * of its column; here, keys are alike if one of the usual collations ignores the difference.
 */
import { addToGroup } from '../add-to-group.js';

/** The keys in groups: those that may be equal are in the same one. */
export function alikeKeys(keys: readonly string[]): readonly (readonly string[])[] {
  const alike = new Map<string, string[]>();
  const isPlain = keys.every((key) => ASCII.test(key));
  for (const key of keys) {
    const text = plainText(key);
    addToGroup(alike, isPlain ? text : spelledOut(text), key);
  }
  return [...alike.values()];
}

const ASCII = /^[\0-\x7f]*$/;

/**
 * A key without what most collations ignore: case, accents, variants of letters and digits, and blanks at the end. Also
 * without the zeros at the end of a decimal. A key of several columns is the JSON of their texts.
 */
function plainText(key: string): string {
  const text = ASCII.test(key) ? key.toUpperCase() : withoutVariants(key);
  const exact = text.includes('.') ? text.replace(/(\.\d*[1-9])0+(?!\d)|\.0+(?!\d)/g, '$1') : text;
  return exact.replace(/(?<!\s)\s+(?="|$)/g, '');
}

/**
 * The text without the letters that only a letter outside of ASCII is equal to. An `ß` is `ss` or, in `utf8mb4_general_ci`,
 * `s`. In German collations, an `ä` is `ae`, and in Danish ones, an `å` is `aa`. In Swedish ones, among them the oldest
 * default of the servers, an `ü` is `y`.
 */
function spelledOut(text: string): string {
  return text
    .replace(/SS+/g, 'S')
    .replaceAll('Y', 'U')
    .replace(/([AOU])E+/g, '$1')
    .replace(/AA+/g, 'A');
}

/** Letters whose parts Unicode does not name. */
const composed: Readonly<Record<string, string>> = { Æ: 'AE', Œ: 'OE', Ð: 'D', ẞ: 'SS' };

function withoutVariants(key: string): string {
  return key
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}·]+/gu, '')
    .toUpperCase()
    .replace(/[^\0-\x7f\p{Script=Han}]/gu, (char) => composed[char] ?? variantOf(char));
}

/** Made when it is needed, because that takes 30 ms. */
let collator: Intl.Collator | undefined;
/** Characters that differ as letters, sorted. */
const letters: string[] = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
/** The letters of characters. There are at most 65,536. */
const variants = new Map<string, string>();

/** The letter of which the character is a variant: `L` for `Ł`, `Σ` for `ς`. */
function variantOf(char: string): string {
  // All of these are equal in the older collations of MySQL and MariaDB.
  if (char.length > 1) return '\uffff';
  const known = variants.get(char);
  if (known !== undefined) return known;
  const letter = findLetter(char);
  variants.set(char, letter);
  return letter;
}

function findLetter(char: string): string {
  collator ??= new Intl.Collator('und', { sensitivity: 'base' });
  let [first, end] = [0, letters.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    const letter = letters[middle] ?? '';
    const order = collator.compare(letter, char);
    if (order === 0) return letter;
    if (order < 0) first = middle + 1;
    else end = middle;
  }
  letters.splice(first, 0, char);
  return char;
}
