/** The tokens of the language, and their names in errors. */
/**
 * The kind of a token. The kind of a symbol is its spelling, except that `===`, `!==` and `<>`
 * become `==` and `!=`. `=`, `++` and `--` are tokens only so that errors can name them; no rule
 * accepts them.
 */
export type TokenKind = 'name' | 'number' | 'text' | 'end' | Keyword | SymbolKind;

/** Words that are not names. */
type Keyword = 'true' | 'false' | 'null';

/** Brackets, separators and operators. */
export const symbols = [
  ...(['(', ')', '[', ']', '{', '}', ',', '.', ':', ';', '?', '??', '=>', '='] as const),
  ...(['==', '!=', '<', '<=', '<<', '>', '>=', '>>', '+', '++', '-', '--', '*', '**'] as const),
  ...(['/', '//', '%', '&', '&&', '|', '||', '^', '!', '~'] as const),
];

export type SymbolKind = (typeof symbols)[number];

/** A token and its half-open range in the text. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** A name, the digits of a number as written, or the value of a string; empty for all others. */
  readonly value: string;
}

const nameLengthShown = 40;

/** A token as errors name it: `')'`, `'customerId'`, `the number 7`, `the end of the text`. */
export function describeToken(text: string, token: Token): string {
  switch (token.kind) {
    case 'end':
      return 'the end of the text';
    case 'text':
      return 'a string';
    case 'number':
      return `the number ${shorten(token.value)}`;
    case 'name':
      return `'${shorten(token.value)}'`;
    default:
      return `'${text.slice(token.start, token.end)}'`;
  }
}

/** Names and numbers are ASCII, so shortening never splits a character. */
function shorten(word: string): string {
  return word.length > nameLengthShown ? `${word.slice(0, nameLengthShown)}…` : word;
}
