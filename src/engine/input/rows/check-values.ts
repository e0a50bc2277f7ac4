/**
 * Checks the values of a row against the bounds of its properties and the constraints of its entity.
 */
import type { WriteCondition, WriteField } from '../../compiled-write.js';
import { EngineError } from '../../errors.js';
import {
  enumMessage,
  lengthMessage,
  nullMessage,
  untoldMessage,
} from '../../query/write/constraints.js';
import { listText } from '../../query/enum-values.js';
import { countCharacters, isLonger } from '../../values/characters.js';
import { evaluatedFor } from '../../values/evaluate/evaluation-error.js';
import type { Faults } from './faults.js';
import { evaluateOver, type KnownTexts } from './field-text.js';

/** A value, and its place in the data for errors. */
export interface CheckedValue {
  readonly field: WriteField;
  readonly text: string | null;
  readonly place: string;
  /** What to try if it is null. */
  readonly hint?: () => string | undefined;
}

/** Whether a value is within the bounds of its field: null, length and enum. */
export function isWithinBounds(field: WriteField, text: string | null): boolean {
  if (text === null) return !field.required;
  const { length, allowed } = field;
  if (length !== undefined && isLonger(text, length)) return false;
  if (hasOtherYear(field, text)) return false;
  return !allowed || allowed.includes(text);
}

/**
 * A year outside of 1 to 9999 in the canonical text of a date, or of an array of them. A date without a year and a month
 * is in an import only, and can be stored.
 */
const otherYear = /(?:^|")(?:[+-]|0000-(?!00))/;

function hasOtherYear({ commonYears }: WriteField, text: string): boolean {
  return commonYears === true && otherYear.test(text);
}

/** Checks one value: null, length and enum. Throws `value-out-of-range` for a date. */
export function checkValue(
  entity: string,
  { field, text, place, hint }: CheckedValue,
  faults: Faults,
) {
  if (isWithinBounds(field, text)) return;
  const { property, length, allowed, hidden } = field;
  if (hidden) return faults.addUnmet(untoldMessage(entity), place);
  if (text === null) return faults.addUnmet(nullMessage(entity, property), place, hint);
  if (hasOtherYear(field, text)) throw wrongYear(property, place);
  if (length !== undefined && isLonger(text, length)) {
    faults.addUnmet(lengthMessage(entity, property, length), place);
  }
  if (allowed && !allowed.includes(text)) {
    const values = () => `Its values are ${listText(allowed)}.`;
    faults.addUnmet(enumMessage(entity, property), place, values);
  }
}

/**
 * Checks a `writeValue`'s result: its length, because an encrypted text is longer than the original, and its
 * year. Throws `value-out-of-range` for a date.
 */
export function checkStored(entity: string, { field, text, place }: CheckedValue, faults: Faults) {
  const { property, length, hidden } = field;
  if (text === null) return;
  const isWrongYear = hasOtherYear(field, text);
  if (!isWrongYear && (length === undefined || !isLonger(text, length))) return;
  if (hidden) return faults.addUnmet(untoldMessage(entity), place);
  if (isWrongYear) throw wrongYear(property, place);
  const message = `Cannot be stored property ${property} in entity ${entity}: its writeValue gives ${countCharacters(text)} characters, but only ${length} fit`;
  faults.addUnmet(message, place);
}

function wrongYear(property: string, place: string): EngineError {
  const message = `'${property}' can only be in the years 1 to 9999 on this database.`;
  return new EngineError('value-out-of-range', message, { place });
}

/**
 * Evaluates the conditions whose properties are all known. As in SQL's CHECK, an unknown result passes.
 */
export function checkConditions(
  conditions: readonly WriteCondition[],
  known: KnownTexts,
  faults: Faults,
): void {
  const { entity, place, texts } = known;
  for (const { expression, reads, message, hidden } of conditions) {
    if (!reads.every((name) => texts.has(name))) continue;
    const name = hidden ? 'A constraint' : `Constraint '${message}'`;
    const what = `${name} of entity '${entity}'`;
    const value = evaluatedFor({ what, place }, () => evaluateOver(known, expression));
    if (value === false) faults.addUnmet(message, place);
  }
}
