/** Values of a row against the bounds of its properties and the constraints of its entity. */
import type { WriteCondition, WriteField } from '../../compiled-write.js';
import { enumMessage, lengthMessage, nullMessage } from '../../query/write/constraints.js';
import { evaluate } from '../evaluate/evaluate.js';
import { valueOfText } from '../evaluate/value.js';
import type { Faults } from './faults.js';

/** A value, and where it is to be told of. */
export interface CheckedValue {
  readonly field: WriteField;
  readonly text: string | null;
  readonly place: string;
}

/** Checks one value: null, its length, its enum. */
export function checkValue(entity: string, { field, text, place }: CheckedValue, faults: Faults) {
  const { property, length } = field;
  if (text === null) {
    if (field.required) faults.addUnmet(nullMessage(entity, property), place);
    return;
  }
  // Databases count code points, of which a text has no more than UTF-16 units.
  if (length !== undefined && text.length > length && [...text].length > length) {
    faults.addUnmet(lengthMessage(entity, property, length), place);
  }
  if (field.allowed && !field.allowed.includes(text)) {
    faults.addUnmet(enumMessage(entity, property), place);
  }
}

/** What is known of a row: its texts by property; what is missing there, nobody can tell yet. */
export interface KnownRow {
  readonly place: string;
  readonly fields: readonly WriteField[];
  readonly texts: ReadonlyMap<string, string | null>;
  /** The instant of the request. */
  readonly now: string;
}

/** Evaluates the conditions all of whose properties are known; like CHECK, unknown is not unmet. */
export function checkConditions(
  conditions: readonly WriteCondition[],
  { place, fields, texts, now }: KnownRow,
  faults: Faults,
): void {
  for (const { expression, reads, message } of conditions) {
    if (!reads.every((name) => texts.has(name))) continue;
    const valueAt = ([name = '']: readonly string[]) => {
      const type = fields.find(({ property }) => property === name)?.type ?? 'any';
      return valueOfText(texts.get(name) ?? null, type);
    };
    if (evaluate(expression, { now, valueAt }) === false) faults.addUnmet(message, place);
  }
}
