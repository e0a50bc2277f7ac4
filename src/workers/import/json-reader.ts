/**
 * A JSON text (RFC 8259, in UTF-8) read as it arrives, whatever the bytes are cut into. Nothing is
 * kept but the open brackets and a token that is not complete. `npm run bench -- --only import`
 * measures it: no library at hand reads a million rows in less time than a database stores them.
 */
import { CutToken } from './cut-token.js';
import type { JsonListener, JsonScalar } from './json-events.js';
import { JsonFault, unexpected } from './json-fault.js';
import { beginsNumber, wordEnd, wordValue } from './json-number.js';
import { decodeText, KnownNames, TextScan } from './json-text.js';

/** Brackets that may be open at once. */
const DEPTH_MAX = 100;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** What may come next. */
type Expected =
  | 'value'
  | 'value-or-end'
  | 'key'
  | 'key-or-end'
  | 'colon'
  | 'comma-or-end'
  | 'nothing';

export class JsonReader {
  readonly #listener: JsonListener;
  readonly #names = new KnownNames();
  readonly #scan = new TextScan();
  /** Of each open bracket, whether it is an object's. */
  readonly #open: boolean[] = [];
  #isInObject = false;
  #expected: Expected = 'value';
  /** The bytes before those of this call. */
  #base = 0;
  /** How much of a byte order mark was passed over. */
  #mark = 0;
  #cut: CutToken | undefined;

  constructor(listener: JsonListener) {
    this.#listener = listener;
  }

  /** Reads on. Throws a {@link JsonFault}, or what the listener throws. */
  write(piece: Uint8Array): void {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let at = this.#cut ? this.#resume(this.#cut, bytes) : this.#passMark(bytes);
    while (at < bytes.length) at = this.#next(bytes, at);
    this.#base += bytes.length;
  }

  /** There are no more bytes. Throws a {@link JsonFault} when the text is not complete. */
  end(): void {
    const cut = this.#cut;
    if (cut && cut.kind !== 'text') this.#takeWord(cut.whole(), cut.offset);
    else if (cut) throw new JsonFault(INCOMPLETE);
    if (this.#expected !== 'nothing') throw new JsonFault(INCOMPLETE);
  }

  /** RFC 8259 lets a reader pass over the mark. */
  #passMark(bytes: Uint8Array): number {
    let at = 0;
    while (this.#mark < 3 && this.#base + at === this.#mark && at < bytes.length) {
      if (bytes[at] !== BYTE_ORDER_MARK[this.#mark]) {
        if (this.#mark > 0) throw unexpected(this.#base + at);
        this.#mark = 3;
        return at;
      }
      this.#mark += 1;
      at += 1;
    }
    return at;
  }

  /** Takes the token or blank at `at`; answers with the index behind it. */
  #next(bytes: Buffer, at: number): number {
    switch (bytes[at]) {
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
        return at + 1;
      case 0x22:
        return this.#text(bytes, at);
      case 0x2c:
        this.#pass('comma-or-end', this.#isInObject ? 'key' : 'value', at);
        return at + 1;
      case 0x3a:
        this.#pass('colon', 'value', at);
        return at + 1;
      case 0x7b:
        return this.#object(bytes, at);
      case 0x5b:
        this.#begin(false, at);
        return at + 1;
      case 0x7d:
      case 0x5d:
        this.#end(bytes[at] === 0x7d, at);
        return at + 1;
      default:
        return this.#word(bytes, at);
    }
  }

  #object(bytes: Buffer, at: number): number {
    if (this.#takesValue && this.#open.length < DEPTH_MAX) {
      const end = this.#listener.takeObject(bytes, at);
      if (end !== -1) {
        this.#valueEnded();
        return end;
      }
    }
    this.#begin(true, at);
    return at + 1;
  }

  #begin(isObject: boolean, at: number): void {
    if (!this.#takesValue) throw unexpected(this.#base + at);
    if (this.#open.length === DEPTH_MAX) {
      throw new JsonFault(`The document nests deeper than ${DEPTH_MAX} levels.`);
    }
    this.#open.push(isObject);
    this.#isInObject = isObject;
    this.#expected = isObject ? 'key-or-end' : 'value-or-end';
    if (isObject) this.#listener.openObject();
    else this.#listener.openList();
  }

  #end(isObject: boolean, at: number): void {
    const isEmpty = this.#expected === (isObject ? 'key-or-end' : 'value-or-end');
    const isFollowed = this.#expected === 'comma-or-end' && this.#isInObject === isObject;
    if (!isEmpty && (!isFollowed || this.#open.length === 0)) throw unexpected(this.#base + at);
    this.#open.pop();
    this.#isInObject = this.#open[this.#open.length - 1] === true;
    this.#listener.close();
    this.#valueEnded();
  }

  #pass(expected: Expected, next: Expected, at: number): void {
    const isRight = this.#expected === expected && this.#open.length > 0;
    if (!isRight) throw unexpected(this.#base + at);
    this.#expected = next;
  }

  #text(bytes: Buffer, at: number): number {
    if (!this.#takesKey && !this.#takesValue) throw unexpected(this.#base + at);
    this.#scan.begin();
    const end = this.#scan.end(bytes, at + 1, this.#base);
    if (end === bytes.length) return this.#keep('text', bytes, at + 1);
    this.#takeText(bytes, at + 1, end, this.#base + at + 1);
    return end + 1;
  }

  #word(bytes: Buffer, at: number): number {
    const isNumber = beginsNumber(bytes[at] ?? 0);
    const end = wordEnd(bytes, at, isNumber);
    if (!this.#takesValue || end === at) throw unexpected(this.#base + at);
    if (end === bytes.length) return this.#keep(isNumber ? 'number' : 'name', bytes, at);
    this.#scalar(wordValue(bytes, at, end, this.#base + at));
    return end;
  }

  #keep(kind: CutToken['kind'], bytes: Buffer, at: number): number {
    this.#cut = new CutToken(kind, this.#base + at);
    this.#cut.add(bytes.subarray(at));
    return bytes.length;
  }

  /** Reads the rest of a token that was cut. */
  #resume(cut: CutToken, bytes: Buffer): number {
    const isText = cut.kind === 'text';
    const end = isText
      ? this.#scan.end(bytes, 0, this.#base)
      : wordEnd(bytes, 0, cut.kind === 'number');
    cut.add(bytes.subarray(0, end));
    if (end === bytes.length) return end;
    this.#cut = undefined;
    const whole = cut.whole();
    if (!isText) {
      this.#takeWord(whole, cut.offset);
      return end;
    }
    this.#takeText(whole, 0, whole.length, cut.offset);
    return end + 1;
  }

  #takeWord(word: Buffer, offset: number): void {
    this.#scalar(wordValue(word, 0, word.length, offset));
  }

  #takeText(bytes: Buffer, start: number, end: number, offset: number): void {
    const { isPlain } = this.#scan;
    if (!this.#takesKey) {
      const value = isPlain
        ? bytes.toString('latin1', start, end)
        : decodeText(bytes, start, end, offset);
      return this.#scalar(value);
    }
    const name = isPlain
      ? this.#names.get(bytes, start, end)
      : decodeText(bytes, start, end, offset);
    this.#expected = 'colon';
    this.#listener.key(name);
  }

  #scalar(value: JsonScalar): void {
    this.#listener.scalar(value);
    this.#valueEnded();
  }

  get #takesKey(): boolean {
    return this.#expected === 'key' || this.#expected === 'key-or-end';
  }

  get #takesValue(): boolean {
    return this.#expected === 'value' || this.#expected === 'value-or-end';
  }

  #valueEnded(): void {
    this.#expected = this.#open.length === 0 ? 'nothing' : 'comma-or-end';
  }
}

const INCOMPLETE = 'The document is not JSON: it ends before it is complete.';
