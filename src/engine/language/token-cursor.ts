/**
 * Where the parser stands in a text: the token before it, and how deep it is. The grammar asks
 * here; nothing else counts tokens or levels.
 */
import { EngineError, type Span } from '../errors.js';
import { readToken } from './lexer.js';
import { positionAt, syntaxError } from './source.js';
import { describeToken, type Token, type TokenKind } from './tokens.js';

/** The bounds that a text is parsed under: those of `CompileLimits` that concern its syntax. */
export interface SyntaxLimits {
  /** UTF-16 units of the text. */
  readonly expressionLengthMax: number;
  /** Levels of brackets, lambdas, branches, signs and powers that stand in one another. */
  readonly nestingMax: number;
}

/**
 * The levels that are parsed at most, whatever `nestingMax` says: a level with an operator of every
 * precedence takes 17 calls, which Node's default stack of 984 KiB holds about 300 times.
 */
export const nestingCeiling = 128;

/** A place in a text that only moves forwards. */
export class TokenCursor {
  readonly text: string;
  readonly #nestingMax: number;
  #token: Token;
  #consumedEnd = 0;
  #consumedCount = 0;
  #nesting = 0;

  /** @throws EngineError `query-too-long`, or `query-syntax` when the first token is none */
  constructor(text: string, limits: SyntaxLimits) {
    rejectLongText(text, limits.expressionLengthMax);
    this.text = text;
    this.#nestingMax = Math.min(limits.nestingMax, nestingCeiling);
    this.#token = readToken(text, 0);
  }

  /** The token that is to be read next. */
  get token(): Token {
    return this.#token;
  }

  /** How many tokens were consumed. */
  get consumedCount(): number {
    return this.#consumedCount;
  }

  /** Consumes the token, and gives it. */
  advance(): Token {
    const token = this.#token;
    this.#consumedEnd = token.end;
    this.#consumedCount++;
    this.#token = readToken(this.text, token.end);
    return token;
  }

  /** Consumes the token if it is of this kind, and says whether it was. */
  take(kind: TokenKind): boolean {
    if (this.#token.kind !== kind) return false;
    this.advance();
    return true;
  }

  /** Consumes the token, which must be of this kind; `name` is what an error says was expected. */
  expect(kind: TokenKind, name = `'${kind}'`): Token {
    if (this.#token.kind !== kind) throw this.unexpected(name);
    return this.advance();
  }

  /** The span from `start` to the end of the token that was consumed last. */
  spanFrom(start: number): Span {
    return { start, end: this.#consumedEnd };
  }

  /** Goes one level down. */
  enter(): void {
    this.#nesting++;
    if (this.#nesting > this.#nestingMax) throw this.#tooDeep();
  }

  /** Comes up from the level that `enter` went down to. An error needs no way up. */
  leave(): void {
    this.#nesting--;
  }

  /** The error that the token is not what was expected. */
  unexpected(expected: string, hint = this.#hint()): EngineError {
    const found = describeToken(this.text, this.#token);
    const span = { start: this.#token.start, end: this.#token.end };
    return syntaxError(`Expected ${expected} but found ${found}.`, { text: this.text, span, hint });
  }

  #hint(): string | undefined {
    const { kind, start, end } = this.#token;
    return hints.get(kind) ?? wordHints.get(this.text.slice(start, end));
  }

  #tooDeep(): EngineError {
    const message = `The expression nests deeper than ${this.#nestingMax} levels.`;
    const span = { start: this.#token.start, end: this.#token.end };
    return new EngineError('query-too-deep', message, {
      span,
      position: positionAt(this.text, span.start, 1),
    });
  }
}

const hints: ReadonlyMap<TokenKind, string> = new Map<TokenKind, string>([
  ['=', "Write '==' to compare."],
  ['--', "Put a space between two signs: 'a - -b'."],
  ['//', "'//' is the root operator; comments are written '/* … */'."],
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
]);

function rejectLongText(text: string, lengthMax: number): void {
  if (text.length <= lengthMax) return;
  throw new EngineError(
    'query-too-long',
    `The expression has ${text.length} characters; at most ${lengthMax} are allowed.`,
    { hint: 'Values can travel as parameters: lists of any length are one.' },
  );
}
