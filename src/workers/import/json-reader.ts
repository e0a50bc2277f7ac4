/**
 * A JSON text read as it arrives: @streamparser/json makes the tokens, whatever the bytes are cut
 * into; here they are held against the grammar of RFC 8259. Nothing is kept but the open brackets.
 */
import { Tokenizer, TokenType } from '@streamparser/json';
import { ExactNumber, ImportError } from '../../engine/index.js';
import type { JsonListener, JsonScalar } from './json-events.js';

/** Brackets that may be open at once. */
const DEPTH_MAX = 100;
/** Up to this many characters a float holds every digit of a number without exponent. */
const FLOAT_DIGITS = 15;

/** What may come next. */
type Expected =
  | 'value'
  | 'value-or-end'
  | 'key'
  | 'key-or-end'
  | 'colon'
  | 'comma-or-end'
  | 'nothing';

/** A text that is no JSON; the offset counts bytes. */
export class JsonFault extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'JsonFault';
  }
}

export class JsonReader {
  readonly #listener: JsonListener;
  readonly #tokenizer = new DigitTokenizer();
  /** Of each open bracket, whether it is an object's. */
  readonly #open: boolean[] = [];
  #expected: Expected = 'value';

  constructor(listener: JsonListener) {
    this.#listener = listener;
    this.#tokenizer.onToken = ({ token, value, offset }) => this.#take(token, value, offset);
    this.#tokenizer.onError = (error) => {
      throw error;
    };
  }

  /** Reads on. Throws a {@link JsonFault}, or what the listener throws. */
  write(bytes: Uint8Array): void {
    try {
      this.#tokenizer.write(bytes);
    } catch (error) {
      throw faultOf(error);
    }
  }

  /** There are no more bytes. Throws a {@link JsonFault} when the text is not complete. */
  end(): void {
    try {
      this.#tokenizer.end();
    } catch (error) {
      throw error instanceof ImportError ? error : new JsonFault(INCOMPLETE, { cause: error });
    }
    if (this.#expected !== 'nothing') throw new JsonFault(INCOMPLETE);
  }

  #take(token: TokenType, value: unknown, offset: number): void {
    switch (token) {
      case TokenType.LEFT_BRACE:
        return this.#begin(true, offset);
      case TokenType.LEFT_BRACKET:
        return this.#begin(false, offset);
      case TokenType.RIGHT_BRACE:
        return this.#end(true, offset);
      case TokenType.RIGHT_BRACKET:
        return this.#end(false, offset);
      case TokenType.COLON:
        return this.#pass('colon', 'value', offset);
      case TokenType.COMMA:
        return this.#pass('comma-or-end', this.#isInObject ? 'key' : 'value', offset);
      case TokenType.STRING:
        if (typeof value === 'string' && this.#takesKey) return this.#key(value);
        return this.#scalar(value, offset);
      case TokenType.NUMBER:
        return this.#scalar(exactValue(this.#tokenizer.digits), offset);
      default:
        return this.#scalar(value, offset);
    }
  }

  get #isInObject(): boolean {
    return this.#open[this.#open.length - 1] === true;
  }

  get #takesKey(): boolean {
    return this.#expected === 'key' || this.#expected === 'key-or-end';
  }

  #begin(isObject: boolean, offset: number): void {
    this.#expectValue(offset);
    if (this.#open.length === DEPTH_MAX) {
      throw new JsonFault(`The document nests deeper than ${DEPTH_MAX} levels.`);
    }
    this.#open.push(isObject);
    this.#expected = isObject ? 'key-or-end' : 'value-or-end';
    if (isObject) this.#listener.openObject();
    else this.#listener.openList();
  }

  #end(isObject: boolean, offset: number): void {
    const isEmpty = this.#expected === (isObject ? 'key-or-end' : 'value-or-end');
    const isFollowed = this.#expected === 'comma-or-end' && this.#isInObject === isObject;
    if (!isEmpty && !isFollowed) throw unexpected(offset);
    this.#open.pop();
    this.#listener.close();
    this.#valueEnded();
  }

  #key(name: string): void {
    this.#expected = 'colon';
    this.#listener.key(name);
  }

  #scalar(value: unknown, offset: number): void {
    this.#expectValue(offset);
    if (!isScalar(value)) throw unexpected(offset);
    this.#listener.scalar(value);
    this.#valueEnded();
  }

  #pass(expected: Expected, next: Expected, offset: number): void {
    if (this.#expected !== expected || this.#open.length === 0) throw unexpected(offset);
    this.#expected = next;
  }

  #expectValue(offset: number): void {
    const takesValue = this.#expected === 'value' || this.#expected === 'value-or-end';
    if (!takesValue) throw unexpected(offset);
  }

  #valueEnded(): void {
    this.#expected = this.#open.length === 0 ? 'nothing' : 'comma-or-end';
  }
}

const INCOMPLETE = 'The document is not JSON: it ends before it is complete.';

/** Keeps the digits of the number that was read last. */
class DigitTokenizer extends Tokenizer {
  digits = '';

  protected override parseNumber(digits: string): number {
    this.digits = digits;
    return 0;
  }
}

function exactValue(digits: string): number | ExactNumber {
  if (digits.length > FLOAT_DIGITS) return new ExactNumber(digits);
  const value = Number(digits);
  if (!/[eE]/.test(digits)) return value;
  // What underflows to 0, or overflows, keeps its digits.
  return Number.isSafeInteger(value) && value !== 0 ? value : new ExactNumber(digits);
}

function isScalar(value: unknown): value is JsonScalar {
  if (value === null || value instanceof ExactNumber) return true;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function unexpected(offset: number): JsonFault {
  return new JsonFault(`The document is not JSON: what stands at byte ${offset} is not expected.`);
}

/** The tokenizer tells the place of a character that it does not expect in its sentence only. */
function faultOf(error: unknown): unknown {
  if (error instanceof ImportError || error instanceof JsonFault) return error;
  const message = error instanceof Error ? error.message : '';
  const [, offset] = /absolute position "(\d+)"/.exec(message) ?? [];
  if (offset !== undefined) return unexpected(Number(offset));
  return new JsonFault('The document is not JSON in UTF-8.', { cause: error });
}
