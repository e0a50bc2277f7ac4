/** Parses JSON texts and keeps all digits of their numbers. */
import { isUtf8 } from 'node:buffer';
import { parse } from 'lossless-json';
import { type DataValue, EngineError, ExactNumber } from '../engine/index.js';

/** A double represents any number with this many digits. */
const DIGITS_MAX = 15;
const greatExponent = /^[+-]?\d{3}/;

/** The data of a request. Throws `data-malformed` if the text is not JSON. */
export function parseData(text: string | undefined): DataValue | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    // The rest of the message may quote the data, which the log must not contain.
    const [position] = (error instanceof SyntaxError && /position \d+/.exec(error.message)) || [];
    const where = position === undefined ? '' : ` The error is at ${position}.`;
    const hint = '"data" may be a JSON object instead of its text.';
    throw new EngineError('data-malformed', `The data is not valid JSON.${where}`, { hint });
  }
}

/** The same; undefined if the text is not JSON. */
export function readableData(text: string | undefined): DataValue | undefined {
  try {
    return parseData(text);
  } catch {
    return undefined;
  }
}

/** The value of the bytes between two texts; undefined if that is not JSON in UTF-8. */
export function parseBytes(bytes: Buffer, before: string, behind: string): DataValue | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    return parseJson(before + bytes.toString('utf8') + behind);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): DataValue {
  return mayBeLong(text) ? parseExactly(text, asShort) : (JSON.parse(text) as DataValue);
}

/** Whether a number may have more digits, or a larger exponent, than a double represents. */
function mayBeLong(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code >= ZERO && code <= NINE) || code === DOT) {
      digits += 1;
      if (digits > DIGITS_MAX) return true;
      continue;
    }
    const isExponent = digits > 0 && (code === UPPER_E || code === LOWER_E);
    if (isExponent && greatExponent.test(text.slice(at + 1, at + 5))) return true;
    digits = 0;
  }
  return false;
}

const ZERO = 0x30;
const NINE = 0x39;
const DOT = 0x2e;
const UPPER_E = 0x45;
const LOWER_E = 0x65;

/** Parses an answer of Rowgate, to take values from it. All digits of its numbers are kept. */
export function parseAnswer(text: string): DataValue {
  return parseExactly(text, (digits) => new ExactNumber(digits));
}

type ParseNumber = (digits: string) => number | ExactNumber;

const asShort: ParseNumber = (digits) =>
  mayBeLong(digits) ? new ExactNumber(digits) : Number(digits);

function parseExactly(text: string, parseNumber: ParseNumber): DataValue {
  const options = {
    parseNumber,
    // As in JSON.parse, the last one counts.
    onDuplicateKey: ({ newValue }: { readonly newValue: unknown }) => newValue,
  };
  return parse(text, null, options) as DataValue;
}
