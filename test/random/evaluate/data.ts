/** The data of a request, kept as values so that numbers keep their digits and dates their type. */
import type { Coded } from './coded.js';
import { type Decimal, decimalText } from './decimal.js';
import type { Clock, Moment } from './moment.js';

/** A date, a time, a UUID or bytes in one of its possible spellings. */
export class Written {
  readonly text: string;
  readonly value: Moment | Clock | Coded;

  constructor(text: string, value: Moment | Clock | Coded) {
    this.text = text;
    this.value = value;
  }
}

/** A number, with its digits. `text` is the string that is sent instead of it, if there is one. */
export class Digits {
  readonly value: Decimal;
  readonly text: string | undefined;

  constructor(value: Decimal, text?: string) {
    this.value = value;
    this.text = text;
  }
}

export type Scalar = null | boolean | string | Digits | Written;
export type Data = Scalar | readonly Data[] | DataObject;

export interface DataObject {
  readonly [name: string]: Data;
}

export function isDataObject(data: Data | undefined): data is DataObject {
  return typeof data === 'object' && data !== null && !Array.isArray(data) && !isScalar(data);
}

function isScalar(data: Data): data is Scalar {
  return (
    data instanceof Digits || data instanceof Written || typeof data !== 'object' || data === null
  );
}

/** The data as JSON text. */
export function jsonOfData(data: Data): string {
  if (data instanceof Digits) {
    return data.text === undefined ? decimalText(data.value) : JSON.stringify(data.text);
  }
  if (data instanceof Written) return JSON.stringify(data.text);
  if (Array.isArray(data)) return `[${data.map(jsonOfData).join(', ')}]`;
  if (!isDataObject(data)) return JSON.stringify(data);
  const members = Object.entries(data).map(
    ([name, value]) => `${JSON.stringify(name)}: ${jsonOfData(value)}`,
  );
  return `{${members.join(', ')}}`;
}
