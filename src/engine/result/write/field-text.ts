/** The text of a field of a row: from the data, or evaluated. */
import type { FieldDefault, WriteField } from '../../compiled-write.js';
import type { Expression } from '../../language/ast.js';
import type { PropertyType } from '../../schema/model.js';
import { missingParameter, nameScalarType } from '../arguments.js';
import {
  type DataObject,
  type DataValue,
  ExactNumber,
  isDataObject,
  nameDataValue,
} from '../data-value.js';
import { Decimal } from '../evaluate/decimal.js';
import { evaluate } from '../evaluate/evaluate.js';
import { textOf, type Value, valueOfText } from '../evaluate/value.js';
import { scalarText } from '../scalar-text.js';
import type { Faults } from './faults.js';

/** The object that a row is read from. */
export interface RowObject {
  readonly object: DataObject;
  readonly place: string;
  readonly now: string;
  readonly faults: Faults;
}

/** A canonical text, null, or undefined when the object has no value. Throws `parameter-missing`. */
export function fieldText(field: WriteField, row: RowObject): string | null | undefined {
  const { value } = field;
  switch (value.kind) {
    case 'none':
      return undefined;
    case 'literal':
      return value.text;
    case 'member':
      return dataText(field, valueAt(row.object, [value.name]), `${row.place}.${value.name}`, row);
    case 'parameter': {
      const place = [row.place, ...value.path].join('.');
      const found = valueAt(row.object, value.path);
      if (found === undefined) throw missingParameter(value.path.join('.'), place);
      return dataText(field, found, place, row);
    }
    case 'computed':
      return computedText(field, value.expression, row);
  }
}

/** The text of a default. */
export function defaultText(
  fallback: FieldDefault,
  type: PropertyType,
  now: string,
): string | null {
  if (fallback.kind === 'text') return fallback.text;
  const value = evaluate(fallback.expression, { now, valueAt: () => null });
  return textOfValue(value, type) ?? null;
}

/** The text that is stored in place of a value, by its field's `writeValue`. */
export function changedText(
  { writeValue, type }: WriteField,
  fields: readonly WriteField[],
  texts: ReadonlyMap<string, string | null>,
  now: string,
): string | null {
  if (!writeValue) return null;
  const valueOf = ([name = '']: readonly string[]): Value => {
    const field = fields.find(({ property }) => property === name);
    return valueOfText(texts.get(name) ?? null, field?.type ?? 'any');
  };
  return textOfValue(evaluate(writeValue.expression, { now, valueAt: valueOf }), type) ?? null;
}

/** Where a field's value stands in the data. */
export function placeOfField({ value, property }: WriteField, place: string): string {
  return value.kind === 'parameter' ? [place, ...value.path].join('.') : `${place}.${property}`;
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

function dataText(
  { property, type }: WriteField,
  value: DataValue | undefined,
  place: string,
  { faults }: RowObject,
): string | null | undefined {
  if (value === undefined || value === null) return value;
  const text = scalarText(type, value);
  if (text !== undefined) return text;
  const found = nameDataValue(value);
  faults.addType(`'${property}' takes ${nameScalarType(type)}, and was given ${found}`, place);
  return undefined;
}

function computedText(field: WriteField, expression: Expression, row: RowObject): string | null {
  const { now, place, object, faults } = row;
  const around = {
    now,
    valueAt: (path: readonly string[]) => {
      const found = valueAt(object, path);
      if (found === undefined) throw missingParameter(path.join('.'), [place, ...path].join('.'));
      return valueOfData(found);
    },
  };
  const text = textOfValue(evaluate(expression, around), field.type);
  if (text !== undefined) return text;
  const message = `'${field.property}' takes ${nameScalarType(field.type)}, and its value is none`;
  faults.addType(message, placeOfField(field, place));
  return null;
}

function valueOfData(value: DataValue): Value {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return valueOfText(String(value), 'decimal');
  if (value instanceof ExactNumber) return valueOfText(value.text, 'decimal');
  return null;
}

function textOfValue(value: Value, type: PropertyType): string | null | undefined {
  if (value === null) return null;
  if (type === 'string') return textOf(value) ?? undefined;
  if (value instanceof Decimal) return scalarText(type, new ExactNumber(value.toString()));
  return typeof value === 'string' || typeof value === 'boolean'
    ? scalarText(type, value)
    : undefined;
}
