/**
 * The values of one flat row: each a range of the document's bytes where those are what COPY takes,
 * else bytes of its own. A value that is not surely right is left to the frames.
 */
import { isUtf8 } from 'node:buffer';
import { checkValue, type RowField, ValueFault } from '../../engine/index.js';
import { fieldText } from './copy-line.js';
import { decodeText } from './json-text.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
/** Up to so many characters a number is the same as text and as the value of a float. */
const DIGITS_MAX = 15;
const NULL = Buffer.from('\\N');

type Kind = 'integer' | 'decimal' | 'string' | 'boolean' | 'other';

interface Plan {
  readonly field: RowField;
  readonly kind: Kind;
  /** The greatest integer, without its sign, that surely fits. */
  readonly integerMax: number;
  /** So many bytes of a string surely fit. */
  readonly lengthMax: number;
}

export class FlatValues {
  /** Bytes that are not those of the document. */
  readonly own: (Buffer | undefined)[];
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Whether a field has a value that is not null. */
  readonly present: boolean[];
  readonly #plans: readonly Plan[];

  constructor(fields: readonly RowField[]) {
    this.#plans = fields.map(planOf);
    this.own = fields.map(() => undefined);
    this.starts = new Int32Array(fields.length);
    this.ends = new Int32Array(fields.length);
    this.present = fields.map(() => false);
  }

  /** How many bytes of its own the row has. */
  get ownBytes(): number {
    let sum = 0;
    for (const own of this.own) if (own) sum += own.length;
    return sum;
  }

  /** Gives a field bytes that are not in the document. */
  set(index: number, bytes: Buffer, isPresent: boolean): void {
    this.own[index] = bytes;
    this.present[index] = isPresent;
  }

  /** Reads the value at `at`; answers with the index behind it, or -1. */
  read(index: number, bytes: Buffer, at: number): number {
    const plan = this.#plans[index];
    const byte = bytes[at] ?? 0;
    if (plan === undefined) return -1;
    if (byte === QUOTE) return this.#text(index, plan, bytes, at + 1);
    if (byte === MINUS || (byte >= ZERO && byte <= 0x39))
      return this.#number(index, plan, bytes, at);
    return this.#named(index, plan, bytes, at);
  }

  #range(index: number, start: number, end: number): void {
    this.own[index] = undefined;
    this.starts[index] = start;
    this.ends[index] = end;
    this.present[index] = true;
  }

  #number(index: number, { kind, integerMax }: Plan, bytes: Uint8Array, at: number): number {
    if (kind !== 'integer' && kind !== 'decimal') return -1;
    const first = bytes[at] === MINUS ? at + 1 : at;
    let end = first;
    let value = 0;
    for (let digit = digitAt(bytes, end); digit !== -1; digit = digitAt(bytes, end)) {
      value = value * 10 + digit;
      end += 1;
    }
    // A zero before others is no JSON, and one behind a sign is to lose it.
    if (end === first || (bytes[first] === ZERO && (end - first > 1 || first > at))) return -1;
    const behind = bytes[end];
    if (behind === POINT) {
      if (kind === 'integer') return -1;
      const fraction = end + 1;
      end = fraction;
      while (digitAt(bytes, end) !== -1) end += 1;
      // One that ends in 0 is told shorter.
      if (end === fraction || bytes[end - 1] === ZERO) return -1;
    }
    if (end - at > DIGITS_MAX || endsOtherwise(bytes[end])) return -1;
    if (kind === 'integer' && value > integerMax) return -1;
    this.#range(index, at, end);
    return end;
  }

  #text(index: number, plan: Plan, bytes: Buffer, start: number): number {
    let end = start;
    let isAscii = true;
    let hasEscape = false;
    for (let byte = bytes[end]; byte !== QUOTE; byte = bytes[end]) {
      if (byte === undefined || byte < 0x20) return -1;
      if (byte === BACKSLASH) {
        hasEscape = true;
        end += 1;
      } else if (byte > 0x7e) isAscii = false;
      end += 1;
    }
    const isPlain = plan.kind === 'string' && !hasEscape && end - start <= plan.lengthMax;
    if (isPlain && (isAscii || isUtf8(bytes.subarray(start, end)))) {
      this.#range(index, start, end);
      return end + 1;
    }
    return this.#checked(index, plan.field, decoded(bytes, start, end)) ? end + 1 : -1;
  }

  #named(index: number, { field, kind }: Plan, bytes: Uint8Array, at: number): number {
    if (startsWith(bytes, at, 'null')) {
      if (field.isRequired) return -1;
      this.set(index, NULL, false);
      return at + 4;
    }
    for (const value of [true, false]) {
      const name = String(value);
      if (kind !== 'boolean' || !startsWith(bytes, at, name)) continue;
      return this.#checked(index, field, value) ? at + name.length : -1;
    }
    return -1;
  }

  /** As the frames do it; false where they are to tell what is wrong. */
  #checked(index: number, field: RowField, value: string | boolean | undefined): boolean {
    if (value === undefined) return false;
    const text = checkValue(field, value);
    if (text === null || text instanceof ValueFault) return false;
    this.set(index, Buffer.from(fieldText(text, field)), true);
    return true;
  }
}

const integerBounds = { 16: 32_767, 32: 2_147_483_647, 64: Number.MAX_SAFE_INTEGER };

function planOf(field: RowField): Plan {
  const { type, length = Number.MAX_SAFE_INTEGER } = field.property;
  return {
    field,
    kind: field.allowed === undefined ? kindOf(type) : 'other',
    integerMax: field.bits === undefined ? Number.MAX_SAFE_INTEGER : integerBounds[field.bits],
    lengthMax: length,
  };
}

function kindOf(type: RowField['property']['type']): Kind {
  if (type === 'number' || type === 'decimal') return 'decimal';
  return type === 'integer' || type === 'string' || type === 'boolean' ? type : 'other';
}

function digitAt(bytes: Uint8Array, at: number): number {
  const digit = (bytes[at] ?? 0) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

/** Whether a number goes on in a way that is not understood here: an exponent, or the next piece. */
function endsOtherwise(byte: number | undefined): boolean {
  return byte === undefined || byte === 0x65 || byte === 0x45 || byte === POINT;
}

function startsWith(bytes: Uint8Array, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[at + index] !== name.charCodeAt(index)) return false;
  }
  return true;
}

/** Undefined where it is not what JSON or UTF-8 allow. */
function decoded(bytes: Uint8Array, start: number, end: number): string | undefined {
  try {
    return decodeText(bytes, start, end, 0);
  } catch {
    return undefined;
  }
}
