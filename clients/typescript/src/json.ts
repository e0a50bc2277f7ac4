/** JSON with exact numbers: what data may contain, and answers whose numbers keep all their digits. */
import { AnswerError } from './errors.js';

/** A column of an answer, as `POST /model` describes it. */
export interface ModelField {
  readonly name: string;
  readonly type: string;
  readonly children?: readonly ModelField[];
}

/** No text of an answer contains U+0000, so it can mark numbers. */
const MARK = '\u0000';

/** The value as JSON. Throws a TypeError for a number or a date that JSON cannot express. */
export function toJsonText(
  value: unknown,
  replace: (value: unknown) => unknown = (each) => each,
): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, name, each: unknown) {
    if (typeof each === 'bigint') return String(each);
    const given = this[name];
    // JSON.stringify has already turned an invalid date into null.
    const isInvalid = given instanceof Date && Number.isNaN(given.getTime());
    if (isInvalid || (typeof each === 'number' && !Number.isFinite(each)))
      throw new TypeError(`${String(given)} cannot be sent as JSON.`);
    return replace(each);
  });
}

/** Parses an answer. With `isExact`, numbers become marked strings, which `withNumbers` reads by their types. */
export function parseAnswer(text: string, isExact: boolean): unknown {
  try {
    return JSON.parse(isExact ? markNumbers(text) : text);
  } catch (cause) {
    throw new AnswerError(200, 'The answer is not JSON.', { cause });
  }
}

/** A string is matched in pieces, each up to an escape: a loop over its characters would overflow the stack. */
function markNumbers(text: string): string {
  return text.replace(/(?:"|\\.)[^"\\]*"?|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') || token.startsWith('\\') ? token : `"\\u0000${token}"`,
  );
}

/** Replaces marked numbers: integers by bigints, decimals by their digits, and all others by numbers. */
export function withNumbers(value: unknown, model: readonly ModelField[]): unknown {
  if (Array.isArray(value)) return value.map((each) => withNumbers(each, model));
  if (typeof value !== 'object' || value === null) return ofType(value, 'json');
  const fields = new Map(model.map((field) => [field.name, field]));
  const members = Object.entries(value).map(([name, each]) => {
    const { type = 'json', children } = fields.get(name) ?? {};
    return [name, children ? withNumbers(each, children) : ofType(each, type)];
  });
  return Object.fromEntries(members);
}

function ofType(value: unknown, type: string): unknown {
  if (Array.isArray(value)) return value.map((each) => ofType(each, type.replace(/\[\]$/, '')));
  if (typeof value === 'object' && value !== null) return withNumbers(value, []);
  if (typeof value !== 'string' || !value.startsWith(MARK)) return value;
  const digits = value.slice(1);
  if (type === 'integer') return BigInt(digits);
  return type === 'decimal' ? digits : Number(digits);
}
