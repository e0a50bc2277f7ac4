/** Reads the text of a row's field from the data, or computes it. */
import type { FieldDefault, FieldValue, WriteField } from '../../compiled-write.js';
import type { Expression } from '../../language/ast.js';
import { elementType, missingParameter, parameterText } from '../arguments.js';
import { describeMisfit, nameScalarType } from '../../values/describe-misfit.js';
import { type DataObject, type DataValue, isDataList, valueAt } from '../../values/data-value.js';
import type { Capabilities } from '../../values/evaluate/capabilities.js';
import { evaluate } from '../../values/evaluate/evaluate.js';
import { EvaluationError, evaluatedFor } from '../../values/evaluate/evaluation-error.js';
import {
  textOfValue,
  type Value,
  valueOfData,
  valueOfParameter,
  valueOfText,
} from '../../values/evaluate/value.js';
import { type OtherTexts, scalarText } from '../../values/scalar-text.js';
import type { Faults } from './faults.js';
import type { ReadonlyTexts } from './texts.js';

/** The object from which a row is read. */
export interface RowObject {
  readonly entity: string;
  readonly object: DataObject;
  readonly place: string;
  readonly capabilities: Capabilities;
  /** Values that it may have besides those of other data. */
  readonly otherTexts?: OtherTexts | undefined;
  readonly faults: Faults;
}

/** A canonical text, null, or undefined if the object has no value. Throws `parameter-missing`. */
export function fieldText(field: WriteField, row: RowObject): string | null | undefined {
  const { value } = field;
  switch (value.kind) {
    case 'none':
      return undefined;
    case 'literal':
      return value.text;
    case 'member':
      return dataText(field, memberOf(row.object, value.name), row);
    case 'parameter': {
      const found = valueAt(row.object, value.path);
      if (found !== undefined) return dataText(field, found, row);
      throw missingParameter(value.path.join('.'), placeOfField(field, row.place));
    }
    case 'computed':
      return computedText(field, value, row);
  }
}

/** The known values of a row, from which other values are computed. */
export interface KnownTexts {
  readonly entity: string;
  readonly fields: readonly WriteField[];
  readonly texts: ReadonlyTexts;
  readonly capabilities: Capabilities;
  readonly place: string;
}

/** The text of a default, which may read the row's other values. */
export function defaultText(field: WriteField, fallback: FieldDefault, known: KnownTexts) {
  if (fallback.kind === 'text') return fallback.text;
  return evaluatedText(field, fallback.expression, known);
}

/** The text that replaces a value before it is stored, by its field's `writeValue`. */
export function changedText(field: WriteField, known: KnownTexts): string | null {
  const { writeValue } = field;
  return writeValue ? evaluatedText(field, writeValue.expression, known) : null;
}

function evaluatedText(field: WriteField, expression: Expression, known: KnownTexts) {
  const { entity, place } = known;
  return evaluatedFor({ what: nameField(entity, field), place: placeOfField(field, place) }, () => {
    const text = textOfValue(evaluateOver(known, expression), field.type);
    if (text !== undefined) return text;
    throw new EvaluationError('parameter-type', `Its value is not ${nameScalarType(field.type)}.`);
  });
}

/** The value of an expression over the row's texts. */
export function evaluateOver({ fields, texts, capabilities }: KnownTexts, expression: Expression) {
  const valueOf = ([name = '']: readonly string[]): Value => {
    const type = fields.find(({ property }) => property === name)?.type ?? 'any';
    return valueOfText(texts.get(name) ?? null, type);
  };
  return evaluate(expression, { ...capabilities, valueAt: valueOf });
}

/** The property for an error, without its name if it is hidden. */
export function nameField(entity: string, { property, hidden }: WriteField): string {
  return hidden
    ? `A property of entity '${entity}'`
    : `Property '${property}' of entity '${entity}'`;
}

/** The place of a field's value in the data; for a hidden one, that of its row. */
export function placeOfField({ value, property, hidden }: WriteField, place: string): string {
  if (hidden) return place;
  return value.kind === 'parameter' ? [place, ...value.path].join('.') : `${place}.${property}`;
}

function memberOf(object: DataObject, name: string): DataValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function dataText(
  field: WriteField,
  value: DataValue | undefined,
  row: RowObject,
): string | null | undefined {
  if (value === undefined || value === null) return value;
  const { property, type } = field;
  const text = scalarText(type, value, row.otherTexts);
  if (text !== undefined) return text;
  const expected = nameScalarType(type, row.otherTexts);
  const message = `'${property}' takes ${expected}, but ${describeMisfit(type, value)}`;
  row.faults.addType(message, placeOfField(field, row.place));
  return undefined;
}

type Computed = Extract<FieldValue, { kind: 'computed' }>;

function computedText(
  field: WriteField,
  { expression, parameters }: Computed,
  row: RowObject,
): string | null {
  const { capabilities, place, object, faults, entity } = row;
  const valueOf = (path: readonly string[]): Value => {
    const name = path.join('.');
    const type = parameters.find((each) => each.name === name)?.type ?? 'any';
    const found = valueAt(object, path);
    const text = parameterText({ name, type }, found, place);
    // If the type is unknown, the value is evaluated as the number, string or boolean that was
    // sent, and so is each item of a list.
    if (elementType(type) !== 'any') return valueOfParameter(text, elementType(type));
    return isDataList(found) ? found.map(valueOfData) : valueOfData(found);
  };
  const own = { ...capabilities, valueAt: valueOf };
  const subject = { what: nameField(entity, field), place: placeOfField(field, place) };
  const text = evaluatedFor(subject, () => textOfValue(evaluate(expression, own), field.type));
  if (text !== undefined) return text;
  faults.addType(misfitMessage(field), placeOfField(field, place));
  return null;
}

/** The message for a computed value that does not have the property's type. */
export function misfitMessage({ property, type }: WriteField): string {
  return `'${property}' takes ${nameScalarType(type)}, but its computed value is not one`;
}
