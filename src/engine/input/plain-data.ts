/**
 * Reads the data of most requests in one pass, without a parser: short integers and plain strings, in
 * the order in which the query names its parameters. `readArguments` reads all other data. A hot path
 * (bench, "point").
 */
import type { CompiledQuery, EnumValues, Parameter } from '../compiled-query.js';
import type { ParameterValues } from './arguments.js';

/** Reads the JSON text of data; undefined if it is not plain. */
export type ReadPlainData = (text: string) => ParameterValues | undefined;

interface Slot {
  readonly name: string;
  /** The text before the value. */
  readonly before: string;
  readonly findEnd: FindEnd;
  /** The number of quotes on either side of the value. */
  readonly quotes: 0 | 1;
  readonly enums: readonly EnumValues[] | undefined;
}

/** Returns the offset after the value at `at`; -1 if the value is not plain. */
type FindEnd = (text: string, at: number) => number;

/** A double may not represent integers with more digits exactly. */
const DIGITS_MAX = 15;
const TEXT_MAX = 256;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

/** The reader for a query; undefined unless it has parameters, all of them integers or strings. */
export function createPlainReader(plan: CompiledQuery): ReadPlainData | undefined {
  const slots = plan.parameters.map(slotOf);
  if (!slots.every((slot) => slot !== undefined)) return undefined;
  return slots.length === 0 ? undefined : (text) => readSlots(slots, text);
}

function slotOf({ name, type, enums }: Parameter, index: number): Slot | undefined {
  if (!/^[\w$]+$/.test(name)) return undefined;
  const before = `${index === 0 ? '{' : ','}"${name}":`;
  // Integers are decimals, too; those with a fraction are read by `readArguments`.
  if (type === 'integer' || type === 'decimal')
    return { name, before, findEnd: endOfInteger, quotes: 0, enums };
  return type === 'string' ? { name, before, findEnd: endOfText, quotes: 1, enums } : undefined;
}

function readSlots(slots: readonly Slot[], text: string): ParameterValues | undefined {
  const texts = new Map<string, string>();
  let at = 0;
  for (const { name, before, findEnd, quotes, enums } of slots) {
    if (!text.startsWith(before, at)) return undefined;
    const start = at + before.length;
    at = findEnd(text, start);
    if (at < 0) return undefined;
    const value = text.slice(start + quotes, at - quotes);
    if (enums && !isValueOf(enums, value)) return undefined;
    texts.set(name, value);
  }
  if (at !== text.length - 1 || !text.endsWith('}')) return undefined;
  return { texts, variant: noMarks, instant: undefined };
}

function isValueOf(enums: readonly EnumValues[], value: string): boolean {
  return enums.every(({ values }) => values.includes(value));
}

const noMarks: readonly string[] = [];

function endOfInteger(text: string, start: number): number {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = first;
  while (isDigit(text.charCodeAt(at))) at += 1;
  const digits = at - first;
  if (digits < 1 || digits > DIGITS_MAX) return -1;
  // `readArguments` refuses leading zeros, and reads -0 as 0.
  return text.charCodeAt(first) === ZERO && at - start > 1 ? -1 : at;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function endOfText(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) return -1;
  const limit = Math.min(text.length, start + TEXT_MAX);
  for (let at = start + 1; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < SPACE || code === BACKSLASH || code >= DELETE) return -1;
  }
  return -1;
}
