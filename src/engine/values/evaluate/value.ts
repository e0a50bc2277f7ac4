/** Values of expressions that Rowgate evaluates. */
import { isArray, itemOf } from '../../schema/array-types.js';
import type { ItemType, PropertyType } from '../../schema/model.js';
import { itemTexts, textOfItems } from '../array-text.js';
import { type DataValue, ExactNumber, isItems, type ParameterText } from '../data-value.js';
import { yearOf } from '../date-text.js';
import { scalarText } from '../scalar-text.js';
import { joinTexts, requireBoundedText } from './bounded-text.js';
import { compareDecimals, Decimal, readDecimal } from './decimal.js';
import { isTextType, type TextType, TypedText } from './typed-text.js';

export type Value = null | boolean | string | Decimal | TypedText | readonly Value[];

/** The value of a canonical text of that type. */
export function valueOfText(text: string | null, type: PropertyType): Value {
  if (text === null) return null;
  switch (type) {
    case 'integer':
    case 'decimal':
      return readDecimal(text) ?? null;
    case 'number':
      return readDecimal(text)?.asDouble(true) ?? null;
    case 'boolean':
      return text === 'true';
    default:
      if (isTextType(type)) return new TypedText(text, type);
      if (!isArray(type)) return text;
      return itemTexts(text).map((each) => valueOfText(each, itemOf(type)));
  }
}

/** The value of a parameter's text, or the list of its items' values. */
export function valueOfParameter(text: ParameterText, type: PropertyType): Value {
  return isItems(text) ? text.map((item) => valueOfText(item, type)) : valueOfText(text, type);
}

/**
 * A value as `toString` writes it in the databases; null for null. Throws `EvaluationError` for a list whose text would
 * be too long.
 */
export function textOf(value: Value): string | null {
  if (value === null || typeof value === 'string') return value;
  if (Array.isArray(value)) return joinTexts(value.map(textOfItem), ',');
  return String(value);
}

function textOfItem(item: Value): string {
  return textOf(item) ?? '';
}

/** Negative, zero or positive; undefined if the values cannot be compared. */
export function compareValues(left: Value, right: Value): number | undefined {
  const types = [left, right].flatMap((each) => (each instanceof TypedText ? [each.type] : []));
  if (types.length > 0) return compareTyped(types, left, right);
  if (left instanceof Decimal && right instanceof Decimal) return compareDecimals(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  return compareTexts(left, right);
}

/** A string is read as the type of the other value: `10:00` equals the time `10:00:00.000`. */
function compareTyped(types: readonly TextType[], left: Value, right: Value): number | undefined {
  const [one, other] = [storedText(left), storedText(right)];
  if (one === undefined || other === undefined) return undefined;
  const [type = 'dateTime', otherType = type] = types;
  const common = type === otherType ? type : 'dateTime';
  const [first, second] = [scalarText(common, one), scalarText(common, other)];
  const areOfType = first !== undefined && second !== undefined;
  if (!areOfType) return compareTexts(one, other);
  return common === 'dateTime' || common === 'date'
    ? yearOf(first) - yearOf(second) || compareTexts(first, second)
    : compareTexts(first, second);
}

function storedText(value: Value): string | undefined {
  if (value instanceof TypedText) return value.text;
  return typeof value === 'string' ? value : undefined;
}

/** By code point: UTF-16 has characters above U+FFFF before U+E000. */
function compareTexts(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}

/** A value as canonical text of a type; undefined if it does not have that type. */
export function textOfValue(value: Value, type: PropertyType): string | null | undefined {
  if (value === null) return null;
  if (isArray(type)) return Array.isArray(value) ? textOfArray(value, itemOf(type)) : undefined;
  if (type === 'string') return textOf(value) ?? undefined;
  if (value instanceof Decimal) return scalarText(type, new ExactNumber(value.toString()));
  if (value instanceof TypedText)
    return type === value.type ? value.text : scalarText(type, value.text);
  return typeof value === 'string' || typeof value === 'boolean'
    ? scalarText(type, value)
    : undefined;
}

function textOfArray(values: readonly Value[], item: ItemType): string | undefined {
  const texts = values.map((value) => textOfValue(value, item));
  if (!texts.every((text) => text !== undefined)) return undefined;
  requireBoundedText(texts.reduce((length, text) => length + (text?.length ?? 0), 0));
  return textOfItems(texts);
}

/** The value of data of any type, if it is a number, text or boolean; otherwise null. */
export function valueOfData(value: DataValue | undefined): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return valueOfText(String(value), 'decimal');
  if (value instanceof ExactNumber) return valueOfText(value.text, 'decimal');
  return null;
}
