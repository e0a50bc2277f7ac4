/** The words of the language, and how an error names them. */
import type { BinaryOperator, UnaryOperator } from './ast.js';

/**
 * What a token is. A symbol's kind is its spelling, with `===`, `!==` and `<>` brought to `==` and
 * `!=`. `=`, `++` and `--` are read as tokens so that errors name them; no rule takes them.
 */
export type TokenKind = 'name' | 'number' | 'text' | 'end' | Keyword | SymbolKind;

/** Words that are not names. */
type Keyword = 'true' | 'false' | 'null';

/** Brackets, separators and operators. */
export type SymbolKind =
  | BinaryOperator
  | UnaryOperator
  | Bracket
  | ','
  | '.'
  | ':'
  | ';'
  | '?'
  | '=>'
  | '='
  | '++'
  | '--';

/** What opens or closes. */
type Bracket = '(' | ')' | '[' | ']' | '{' | '}';

/** A word and its half-open range in the text. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** A name, a number's digits as written, or a text's value; empty for all others. */
  readonly value: string;
}

const nameLengthShown = 40;

/** A token as an error names it: `')'`, `'customerId'`, `the number 7`, `the end of the text`. */
export function describeToken(text: string, token: Token): string {
  switch (token.kind) {
    case 'end':
      return 'the end of the text';
    case 'text':
      return 'a text';
    case 'number':
      return `the number ${shorten(token.value)}`;
    case 'name':
      return `'${shorten(token.value)}'`;
    default:
      return `'${text.slice(token.start, token.end)}'`;
  }
}

/** Names and numbers are ASCII, so that a cut never parts a character. */
function shorten(word: string): string {
  return word.length > nameLengthShown ? `${word.slice(0, nameLengthShown)}…` : word;
}
