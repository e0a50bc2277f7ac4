/** The data of a request as the engine takes it: JSON values whose numbers may carry their digits. */

/** A number of the data by its digits, for those that a float would not hold. */
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

/** Whether `value` is a JSON object (and no list, null or number). */
export function isDataObject(value: DataValue | undefined): value is DataObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  );
}

/** What a value is called in a sentence to its sender: `a string`, `an integer`, `null`, … */
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

/** What stands at a path of the data; undefined where nothing does. */
export function valueAt(data: DataValue, path: readonly string[]): DataValue | undefined {
  let value: DataValue | undefined = data;
  for (const step of path) {
    if (!isDataObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

/** The canonical text of a value, null, or those of a list. */
export type ParameterText = string | null | readonly (string | null)[];

/** Whether the text of an argument is a list of them. */
export function isItems(text: ParameterText): text is readonly (string | null)[] {
  return typeof text === 'object' && text !== null;
}
