/** The fields of rows with values that Rowgate computes, as bytes for the encoders. */
import type { Column, ColumnRead } from '../compiled-query.js';
import { invariant } from '../errors.js';
import { isArray, itemOf } from '../schema/array-types.js';
import type { PropertyType } from '../schema/model.js';
import { storedItems } from '../values/array-text.js';
import { nameScalarType } from '../values/describe-misfit.js';
import type { Cipher } from '../values/evaluate/capabilities.js';
import { evaluate } from '../values/evaluate/evaluate.js';
import { EvaluationError, evaluatedFor } from '../values/evaluate/evaluation-error.js';
import { textOfValue, type Value, valueOfText } from '../values/evaluate/value.js';
import { scalarEncoder } from '../values/scalar-json.js';
import { utf8Bytes } from './output-bytes.js';
import { fieldText, type RowBytes } from './row-bytes.js';
import type { DecodeText } from './scalar-bytes.js';

/** The UTF-8 text of a column of a row; undefined for null. */
export type FieldOf = (rows: RowBytes, row: number, column: number) => Uint8Array | undefined;

/** Undefined if every value is answered as the database sends it. */
export function computedFields(
  columns: readonly Column[],
  decode: DecodeText,
  cipher: Cipher | undefined,
): FieldOf | undefined {
  const reads = columns.map((column) => readColumn(column, cipher));
  if (reads.every((read) => !read)) return undefined;
  return (rows, row, column) => {
    const own = rows.at(row);
    invariant(own, 'a row of that index');
    const textAt = (index: number): string | null => fieldText(own, index, decode);
    const read = reads[column];
    const text = read ? read(textAt) : textAt(column);
    return text === null ? undefined : utf8Bytes(text);
  };
}

/** Returns the canonical text of a computed column, from the fields of its row. */
type ReadValue = (textAt: (column: number) => string | null) => string | null;

/** How a column is computed, see `ColumnRead`; undefined if it is answered as the database sends it. */
function readColumn({ read, type }: Column, cipher: Cipher | undefined): ReadValue | undefined {
  if (!read) return undefined;
  invariant(cipher, 'a writer that computes values is given a cipher');
  const what = nameOf(read);
  const columns = new Map(read.inputs.map((input) => [input.name, input]));
  return (textAt) => {
    const valueAt = ([name = '']: readonly string[]): Value => {
      const input = columns.get(name);
      return input ? valueOfStored(textAt(input.column), input.type) : null;
    };
    return evaluatedFor({ what }, () => {
      const text = textOfValue(evaluate(read.expression, { now: '', cipher, valueAt }), type);
      if (text !== undefined) return text;
      throw new EvaluationError('evaluation-failed', `Its value is not ${nameScalarType(type)}.`);
    });
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
      return JSON.parse(scalarEncoder(type)(text)) === true;
    case 'dateTime':
    case 'date':
    case 'time': {
      const value: unknown = JSON.parse(scalarEncoder(type)(text));
      return typeof value === 'string'
        ? valueOfText(type === 'date' ? value.replace(/T.*$/, '') : value, type)
        : null;
    }
    default:
      if (!isArray(type)) return valueOfText(text, type);
      return storedItems(text).map((item) => valueOfStored(item, itemOf(type)));
  }
}
