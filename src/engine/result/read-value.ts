/** Evaluates values that Rowgate computes from a row; see `ColumnRead`. */
import type { Column, ColumnRead } from '../compiled-query.js';
import { isArray, itemOf } from '../schema/array-types.js';
import type { PropertyType } from '../schema/model.js';
import { storedItems } from '../values/array-text.js';
import type { Cipher } from '../values/evaluate/capabilities.js';
import { evaluate } from '../values/evaluate/evaluate.js';
import { evaluatedFor } from '../values/evaluate/evaluation-error.js';
import { textOfValue, type Value, valueOfText } from '../values/evaluate/value.js';
import { scalarEncoder } from '../values/scalar-json.js';

/** Returns the canonical text of a computed column, from the fields of its row. */
export type ReadValue = (textAt: (column: number) => string | null) => string | null;

/** Compiles the reading of a column; undefined if it is answered as the database sends it. */
export function readValueOf({ read, type }: Column, cipher: Cipher): ReadValue | undefined {
  if (!read) return undefined;
  const what = nameOf(read);
  const columns = new Map(read.inputs.map((input) => [input.name, input]));
  return (textAt) => {
    const valueAt = ([name = '']: readonly string[]): Value => {
      const input = columns.get(name);
      return input ? valueOfStored(textAt(input.column), input.type) : null;
    };
    const text = evaluatedFor({ what }, () =>
      textOfValue(evaluate(read.expression, { now: '', cipher, valueAt }), type),
    );
    return text ?? null;
  };
}

function nameOf({ entity, property }: ColumnRead): string {
  return `The stored value of property '${property}' of entity '${entity}'`;
}

/** Dates and booleans are in the form of the database. */
function valueOfStored(text: string | null, type: PropertyType): Value {
  if (text === null) return null;
  switch (type) {
    case 'boolean':
    case 'dateTime':
    case 'time': {
      const value: unknown = JSON.parse(scalarEncoder(type)(text));
      return typeof value === 'string' || typeof value === 'boolean' ? value : null;
    }
    case 'date': {
      const value: unknown = JSON.parse(scalarEncoder(type)(text));
      return typeof value === 'string' ? value.replace(/T.*$/, '') : null;
    }
    default:
      if (!isArray(type)) return valueOfText(text, type);
      return storedItems(text).map((item) => valueOfStored(item, itemOf(type)));
  }
}
