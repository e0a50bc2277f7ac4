/** The data of a request: JSON values whose numbers keep all their digits. */

/** A number of the data as its digits, if a double does not represent it exactly. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type DataValue =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | readonly DataValue[]
  | DataObject;

export interface DataObject {
  readonly [name: string]: DataValue;
}

/** Whether `value` is a JSON object, not a list, null or number. */
export function isDataObject(value: DataValue | undefined): value is DataObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  );
}

export function isDataList(value: DataValue | undefined): value is readonly DataValue[] {
  return Array.isArray(value);
}

/** The kind of a value in words, for errors: `a string`, `an integer`, `null`, … */
export function nameDataValue(value: DataValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof ExactNumber) return 'a number';
  switch (typeof value) {
    case 'string':
      return 'a string';
    case 'boolean':
      return 'a boolean';
    case 'number':
      return Number.isInteger(value) ? 'an integer' : 'a number';
    default:
      return 'an object';
  }
}

/** The value at a path of the data; undefined if there is none. */
export function valueAt(data: DataValue, path: readonly string[]): DataValue | undefined {
  let value: DataValue | undefined = data;
  for (const step of path) {
    if (!isDataObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

/** The canonical text of a value, null, or the texts of a list. */
export type ParameterText = string | null | readonly (string | null)[];

/** Whether the text of an argument is a list of texts. */
export function isItems(text: ParameterText): text is readonly (string | null)[] {
  return typeof text === 'object' && text !== null;
}
