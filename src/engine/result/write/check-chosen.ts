/** What an update sets in chosen rows, against bounds and constraints, before the database is asked. */
import type { Sentence } from '../../compiled-query.js';
import type { ChosenWrite, WriteField } from '../../compiled-write.js';
import { elementType, type ParameterValues } from '../arguments.js';
import { dateTimeText } from '../date-text.js';
import type { Capabilities } from '../evaluate/capabilities.js';
import { evaluate } from '../evaluate/evaluate.js';
import { evaluatedFor } from '../evaluate/evaluation-error.js';
import { type Value, valueOfParameter } from '../evaluate/value.js';
import { checkConditions, checkStored, checkValue, isWithinBounds } from './check-values.js';
import { Faults } from './faults.js';
import { changedText, misfitMessage, textOfValue } from './field-text.js';

/** The values of a statement, and where Rowgate made them: what is stored in place of others. */
export interface CheckedChosen {
  readonly values: ParameterValues;
  readonly around: Capabilities;
}

/**
 * Checks what is set, and gives the values with those that are stored in place of others. Throws
 * `constraint-unmet` with all that is not met.
 */
export function checkChosen(
  { entity }: Sentence,
  { assigned, conditions }: ChosenWrite,
  { values, around: given }: CheckedChosen,
): ParameterValues {
  if (assigned.length === 0 && conditions.length === 0) return values;
  const { now, cipher } = given;
  const around = { now: dateTimeText(now) ?? now, cipher };
  const faults = new Faults();
  const texts = new Map<string, string | null>();
  for (const { field, value } of assigned) {
    const text = textOf(entity, field, value, { values, around });
    if (text === undefined) {
      faults.addType(misfitMessage(field), placeOf(value));
      continue;
    }
    texts.set(field.property, text);
    if (isWithinBounds(field, text)) continue;
    checkValue(entity, { field, text, place: placeOf(value) }, faults);
  }
  const fields = assigned.map(({ field }) => field);
  checkConditions(conditions, { entity, place: 'data', fields, texts, around }, faults);
  const changed = new Map<string, string | null>();
  for (const { field, value } of assigned) {
    if (!field.writeValue) continue;
    const text = changedText(field, { entity, fields, texts, around, place: 'data' });
    checkStored(entity, { field, text, place: placeOf(value) }, faults);
    changed.set(field.property, text);
  }
  faults.throwIfAny();
  return changed.size === 0 ? values : { ...values, changed };
}

type Assigned = ChosenWrite['assigned'][number]['value'];

function placeOf(value: Assigned): string {
  return value.kind === 'parameter' ? ['data', ...value.path].join('.') : 'data';
}

interface Evaluation {
  readonly values: ParameterValues;
  readonly around: Capabilities;
}

/** Undefined where what was computed is no value of the property. */
function textOf(
  entity: string,
  field: WriteField,
  value: Assigned,
  { values, around }: Evaluation,
): string | null | undefined {
  switch (value.kind) {
    case 'null':
      return null;
    case 'literal':
      return value.text;
    case 'parameter':
      return scalarAt(values, value.path);
    case 'computed': {
      const valueAt = (path: readonly string[]): Value => {
        const parameter = value.parameters.find(({ name }) => name === path.join('.'));
        const given = values.texts.get(path.join('.')) ?? null;
        return valueOfParameter(given, elementType(parameter?.type ?? 'any'));
      };
      const told = { what: `Property '${field.property}' of entity '${entity}'`, place: 'data' };
      return evaluatedFor(told, () =>
        textOfValue(evaluate(value.expression, { ...around, valueAt }), field.type),
      );
    }
  }
}

function scalarAt({ texts }: ParameterValues, path: readonly string[]): string | null {
  const text = texts.get(path.join('.'));
  return typeof text === 'string' ? text : null;
}
