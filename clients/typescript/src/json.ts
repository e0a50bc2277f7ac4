/** JSON with exact numbers: what data may contain, and answers whose numbers keep all their digits. */
import { AnswerError } from './errors.js';

/** A column of an answer, as `POST /model` describes it. */
export interface ModelField {
  readonly name: string;
  readonly type: string;
  readonly children?: readonly ModelField[];
}

/** Marks numbers. A text or a name that begins with U+0000 itself is marked with a second one. */
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
  return text.replace(/(?:"|\\.)[^"\\]*"?|-?\d[\d.eE+-]*/g, (token, at: number) => {
    // A quote alone begins a string that begins with an escape.
    if (token === '"') return text.startsWith('\\u0000', at + 1) ? '"\\u0000' : token;
    return token.startsWith('"') || token.startsWith('\\') ? token : `"\\u0000${token}"`;
  });
}

/**
 * Replaces the marked numbers of rows: integers by bigints, decimals by their digits, and all others by numbers. Throws
 * an AnswerError if the model has no column for a number, or another type.
 */
export function withNumbers(value: unknown, model: readonly ModelField[]): unknown {
  if (Array.isArray(value)) return value.map((each) => withNumbers(each, model));
  const fields = new Map(model.map((field) => [field.name, field]));
  return mapMembers(value, (each, name) => {
    const { type = '', children } = fields.get(name) ?? {};
    return children ? withNumbers(each, children) : ofType(each, type);
  });
}

/** Replaces the marked numbers of JSON that no model describes. */
export function withPlainNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  return mapMembers(value, withPlainNumbers);
}

function mapMembers(value: unknown, map: (each: unknown, name: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return ofType(value, 'json');
  const members = Object.entries(value).map(([marked, each]) => {
    const name = marked.startsWith(MARK) ? marked.slice(1) : marked;
    return [name, map(each, name)];
  });
  return Object.fromEntries(members);
}

/** An empty type is that of a column that the model does not have. */
function ofType(value: unknown, type: string): unknown {
  if (Array.isArray(value)) return value.map((each) => ofType(each, type.replace(/\[\]$/, '')));
  if (typeof value === 'object' && value !== null) return withPlainNumbers(value);
  if (typeof value !== 'string' || !value.startsWith(MARK)) return value;
  const text = value.slice(1);
  if (text.startsWith(MARK) || type === 'decimal') return text;
  if (type === '' || (type === 'integer' && !/^-?\d+$/.test(text)))
    throw new AnswerError(200, `The number ${text} of the answer does not fit its column.`);
  return type === 'integer' ? BigInt(text) : Number(text);
}
