/** JSON texts as values, every digit of their numbers kept. */
import { parse } from 'lossless-json';
import { type DataValue, EngineError, ExactNumber } from '../../engine/index.js';

/** A number that may have more digits than a float holds, or a greater exponent. */
const longNumber = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** The data of a request. Throws `data-malformed` when the text is not JSON. */
export function parseData(text: string | undefined): DataValue | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return longNumber.test(text) ? parseExactly(text, asShort) : (JSON.parse(text) as DataValue);
  } catch {
    throw new EngineError('data-malformed', 'The data is not JSON.');
  }
}

/** An answer of ours, to take values from: no number goes through a float. */
export function parseAnswer(text: string): DataValue {
  return parseExactly(text, (digits) => new ExactNumber(digits));
}

type ParseNumber = (digits: string) => number | ExactNumber;

const asShort: ParseNumber = (digits) =>
  longNumber.test(digits) ? new ExactNumber(digits) : Number(digits);

function parseExactly(text: string, parseNumber: ParseNumber): DataValue {
  const options = {
    parseNumber,
    // As JSON.parse has it: the last one counts.
    onDuplicateKey: ({ newValue }: { readonly newValue: unknown }) => newValue,
  };
  return toDataValue(parse(text, null, options));
}

/** What the parser made is nothing else; this tells the compiler so. */
function toDataValue(value: unknown): DataValue {
  if (Array.isArray(value)) return value.map(toDataValue);
  if (value instanceof ExactNumber || value === null) return value;
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'object':
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, toDataValue(item)]),
      );
    default:
      throw new TypeError(`A parser of JSON made a ${typeof value}.`);
  }
}
