/**
 * Converts names of a database to names of a schema: splits words, changes case, singular and
 * plural.
 */

/**
 * `invoice_line`, `InvoiceLine` and `INVOICE LINE` give `invoice`, `line`. Only Latin letters and
 * digits are kept.
 */
export function wordsOf(name: string): readonly string[] {
  const latin = name
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{Mn}|[^\P{L}A-Za-z]/gu, '');
  const spaced = latin
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  return spaced
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
}

/** `InvoiceLine`. A name that begins with a digit or has no letter gets the prefix `T`. */
export function entityName(name: string): string {
  return identifier(wordsOf(name).map(capitalized).join(''), 'T');
}

/** `invoiceLine`. A name that begins with a digit or has no letter gets the prefix `c`. */
export function memberName(name: string): string {
  return validMember(lowerCamel(wordsOf(name)));
}

/** The name, with the prefix `c` if it begins with a digit or is empty, and never a word of the language. */
export function validMember(name: string): string {
  return identifier(name, 'c');
}

/** The words in lower camel case; empty if there are none. */
export function lowerCamel([first = '', ...rest]: readonly string[]): string {
  return first + rest.map(capitalized).join('');
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Words with another meaning in an expression. */
const literals = new Set(['true', 'false', 'null', 'undefined']);

function identifier(name: string, prefix: string): string {
  if (literals.has(name) || name === 'ServiceParentId') return `${name}_`;
  return /^[A-Za-z]/.test(name) ? name : prefix + name;
}

const irregular: readonly (readonly [singular: string, plural: string])[] = [
  ['person', 'people'],
  ['child', 'children'],
  ['man', 'men'],
  ['woman', 'women'],
  ['foot', 'feet'],
  ['tooth', 'teeth'],
  ['mouse', 'mice'],
  ['datum', 'data'],
  ['criterion', 'criteria'],
  ['index', 'indices'],
  ['movie', 'movies'],
  ['cookie', 'cookies'],
];
const singulars = new Map(irregular.map(([one, many]) => [many, one]));
const plurals = new Map(irregular);
const unchanged = new Set(['series', 'species', 'news', 'equipment', 'information', 'staff']);

/** Puts the last word in the singular: `order`, `lines` gives `order`, `line`. */
export function singular(words: readonly string[]): readonly string[] {
  return withLast(words, singularWord);
}

/** Puts the last word in the plural, if it is not plural already. */
export function plural(words: readonly string[]): readonly string[] {
  return withLast(words, (word) => pluralWord(singularWord(word)));
}

function withLast(words: readonly string[], change: (word: string) => string): readonly string[] {
  return words.map((word, index) => (index === words.length - 1 ? change(word) : word));
}

function singularWord(word: string): string {
  if (unchanged.has(word)) return word;
  const known = singulars.get(word);
  if (known !== undefined) return known;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z|us)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) && !word.endsWith('is') ? word.slice(0, -1) : word;
}

function pluralWord(word: string): string {
  if (unchanged.has(word)) return word;
  const known = plurals.get(word);
  if (known !== undefined) return known;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (word.endsWith('is')) return `${word.slice(0, -2)}es`;
  return /(?:s|sh|ch|x|z)$/.test(word) ? `${word}es` : `${word}s`;
}
