/** Values of JSON properties, and the scalars that paths into them are read as (docs/language.md, "Parts of JSON"). */
import { parse } from 'lossless-json';
import { type Data, Digits, isDataObject } from './data.js';
import { decimalText, parseDecimal } from './decimal.js';
import { unsure } from './unsure.js';
import { dataValue, isArrayValue, isDecimal, isJsonValue, type Value } from './value.js';

/** The value of a JSON text, with the digits of its numbers. */
export function parseJson(text: string): Data {
  return parse(text, undefined, (digits) => new Digits(parseDecimal(digits))) as Data;
}

/** A value of the data as JSON; null for null. */
export function jsonValue(value: Value): Value {
  const data = dataOf(value);
  return data === null ? null : { kind: 'json', data };
}

function dataOf(value: Value): Data {
  if (isJsonValue(value)) return value.data;
  if (isDecimal(value)) return new Digits(value);
  if (isArrayValue(value)) return value.items.map(dataOf);
  if (value === null || typeof value !== 'object') return value;
  throw new Error(`a ${value.kind} in JSON`);
}

/** The member or the item of that name; null if there is none. */
export function jsonPart(value: Value, name: string): Value {
  if (!isJsonValue(value)) return null;
  const { data } = value;
  const isIndex = Array.isArray(data) && /^\d+$/.test(name);
  const part = isIndex ? data[Number(name)] : isDataObject(data) ? data[name] : undefined;
  return part === undefined || part === null ? null : { kind: 'json', data: part };
}

export type JsonScalar = 'string' | 'decimal' | 'boolean';

/** A part of JSON as a scalar of that type; null for another type. Other values are unchanged. */
export function scalarOf(value: Value, type: JsonScalar): Value {
  if (!isJsonValue(value)) return value;
  const { data } = value;
  const scalar = dataValue(data);
  if (type === 'boolean') return typeof scalar === 'boolean' ? scalar : null;
  if (type === 'decimal') return isDecimal(scalar) ? scalar : null;
  return scalarText(data);
}

function scalarText(data: Data): Value {
  if (data instanceof Digits) return decimalText(data.value);
  if (typeof data === 'boolean') return String(data);
  return typeof data === 'string' ? data : unsure('the text of a list or an object');
}

/** The type that a part of JSON is read as beside a value. */
export function scalarBeside(value: Value): JsonScalar {
  if (typeof value === 'boolean') return 'boolean';
  return isDecimal(value) ? 'decimal' : 'string';
}
