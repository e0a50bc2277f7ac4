/**
 * The parser's position in a text: the current token, and the nesting depth. Only this file reads
 * tokens and counts levels.
 */
import { EngineError, type Span } from '../errors.js';
import { readToken, skipBlanks } from './lexer.js';
import { readPattern } from './read-text.js';
import { syntaxError } from './source.js';
import { describeToken, type Token, type TokenKind } from './tokens.js';

/** The limits for parsing a text: those of `CompileLimits` that concern its syntax. */
export interface SyntaxLimits {
  /** In UTF-16 units. */
  readonly expressionLengthMax: number;
  /** Nested levels of brackets, lambdas, branches, signs and powers. */
  readonly nestingMax: number;
}

/**
 * The maximum number of levels, whatever `nestingMax` says. A level with an operator of every
 * precedence takes 17 calls; Node's default stack of 984 KiB holds about 300 such levels.
 */
export const nestingCeiling = 128;

/** A position in a text that only moves forward. */
export class TokenCursor {
  readonly text: string;
  readonly #nestingMax: number;
  #token: Token;
  #consumedEnd = 0;
  #consumedCount = 0;
  #nesting = 0;
  /** The faults of strings that are right as patterns, by their offsets. */
  readonly #faults = new Map<number, unknown>();

  /** @throws EngineError `query-too-long`, or `query-syntax` if the first token is invalid */
  constructor(text: string, limits: SyntaxLimits) {
    rejectLongText(text, limits.expressionLengthMax);
    this.text = text;
    this.#nestingMax = Math.min(limits.nestingMax, nestingCeiling);
    this.#token = this.#read(0);
  }

  /** The next token to read. */
  get token(): Token {
    return this.#token;
  }

  /** How many tokens were consumed. */
  get consumedCount(): number {
    return this.#consumedCount;
  }

  /** Consumes the token and returns it. */
  advance(): Token {
    const token = this.#token;
    this.#consumedEnd = token.end;
    this.#consumedCount++;
    this.#token = this.#read(token.end);
    return token;
  }

  /** Consumes the token if it is of this kind, and returns whether it was. */
  take(kind: TokenKind): boolean {
    if (this.#token.kind !== kind) return false;
    this.advance();
    return true;
  }

  /**
   * Consumes the token, which must be of this kind. `name` describes the expected token in an
   * error.
   */
  expect(kind: TokenKind, name = `'${kind}'`): Token {
    if (this.#token.kind !== kind) throw this.unexpected(name);
    return this.advance();
  }

  /** The value of the string that starts there as a regular expression, which keeps its own escapes. */
  patternAt(start: number): string {
    this.#faults.delete(start);
    return readPattern(this.text, start).value;
  }

  /** Ends the reading. Throws the fault of a string that is no pattern. */
  end(): void {
    for (const fault of this.#faults.values()) throw fault;
  }

  /** The span from `start` to the end of the last consumed token. */
  spanFrom(start: number): Span {
    return { start, end: this.#consumedEnd };
  }

  /** Enters a nested level. */
  enter(): void {
    this.#nesting++;
    if (this.#nesting > this.#nestingMax) throw this.#tooDeep();
  }

  /** Leaves the level that `enter` entered. This is not needed after an error. */
  leave(): void {
    this.#nesting--;
  }

  /** The error for a token that is not the expected one. */
  unexpected(expected: string, hint = this.#hint()): EngineError {
    const found = describeToken(this.text, this.#token);
    const span = { start: this.#token.start, end: this.#token.end };
    return syntaxError(`Expected ${expected} but found ${found}.`, { text: this.text, span, hint });
  }

  /** Whether a string is a pattern, which has escapes of its own, is known only after its call. */
  #read(offset: number): Token {
    try {
      return readToken(this.text, offset);
    } catch (fault) {
      const start = skipBlanks(this.text, offset);
      if (!/["'`]/.test(this.text.charAt(start))) throw fault;
      const token = readPattern(this.text, start);
      this.#faults.set(start, fault);
      return token;
    }
  }

  #hint(): string | undefined {
    const { kind, start, end } = this.#token;
    if (kind === '>' && this.text[start - 1] === '-') return "Write a lambda as 'p=>p.id'.";
    return hints.get(kind) ?? wordHints.get(this.text.slice(start, end).toLowerCase());
  }

  #tooDeep(): EngineError {
    const message = `The expression nests deeper than ${this.#nestingMax} levels.`;
    const span = { start: this.#token.start, end: this.#token.end };
    return syntaxError(message, { text: this.text, span }, 'query-too-deep');
  }
}

const hints: ReadonlyMap<TokenKind, string> = new Map<TokenKind, string>([
  ['=', "Write '==' to compare."],
  ['--', "Put a space between two signs: 'a - -b'."],
  ['//', "'//' is the root operator; comments are written '/* … */'."],
  ['{', "There are no statements: write 'p=>p.id==id', or a condition as 'a ? b : c'."],
]);

/** Operators of other languages. */
const wordHints: ReadonlyMap<string, string> = new Map([
  ['in', "Write 'in(value, list)'."],
  ['as', "Write 'map(p=>({name: value}))' to name a value."],
  ['and', "Write '&&'."],
  ['or', "Write '||'."],
  ['is', "Write '== null' or 'isNull(value)'."],
  ['like', "Write 'like(text, pattern)'."],
  ['between', "Write 'between(value, low, high)'."],
  ['date', "Write 'now()' for the current time, and a date as '2024-05-01'."],
  ['asc', "Write 'sort(p=>asc(p.name))'."],
  ['desc', "Write 'sort(p=>desc(p.name))'."],
]);

function rejectLongText(text: string, lengthMax: number): void {
  if (text.length <= lengthMax) return;
  throw new EngineError(
    'query-too-long',
    `The expression has ${text.length} characters; at most ${lengthMax} are allowed.`,
    { hint: 'Send values as parameters: a list of any length is one parameter.' },
  );
}
