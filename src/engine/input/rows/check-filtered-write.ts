/** Checks the values that an update assigns to filtered rows, before any statement runs. */
import type { StatementPlan } from '../../compiled-query.js';
import type { FilteredWrite, WriteField } from '../../compiled-write.js';
import { isNumeric } from '../../query/types.js';
import { elementType, type ParameterValues } from '../arguments.js';
import { dateTimeText } from '../../values/date-text.js';
import type { Capabilities } from '../../values/evaluate/capabilities.js';
import { evaluate } from '../../values/evaluate/evaluate.js';
import { evaluatedFor } from '../../values/evaluate/evaluation-error.js';
import { textOfValue, type Value, valueOfParameter } from '../../values/evaluate/value.js';
import { checkConditions, checkStored, checkValue, isWithinBounds } from './check-values.js';
import { Faults } from './faults.js';
import type { ColumnNumbers } from './row-batch.js';
import { changedText, misfitMessage } from './field-text.js';

/** The values of a statement, and the capabilities with which others are computed. */
export interface CheckedFilteredWrite {
  readonly values: ParameterValues;
  readonly capabilities: Capabilities;
}

/**
 * Checks the assigned values, and returns them together with the values that replace some of them.
 * Throws `constraint-unmet` with all constraints that are not met.
 */
export function checkFilteredWrite(
  { entity }: StatementPlan,
  { assigned, conditions }: FilteredWrite,
  { values, capabilities: given }: CheckedFilteredWrite,
): ParameterValues {
  if (assigned.length === 0 && conditions.length === 0) return values;
  const { now, cipher } = given;
  const capabilities = { now: dateTimeText(now) ?? now, cipher };
  const faults = new Faults();
  const texts = new Map<string, string | null>();
  for (const { field, value } of assigned) {
    const text = textOf(entity, field, value, { values, capabilities });
    if (text === undefined) {
      faults.addType(misfitMessage(field), placeOf(value));
      continue;
    }
    texts.set(field.property, text);
    if (isWithinBounds(field, text)) continue;
    checkValue(entity, { field, text, place: placeOf(value) }, faults);
  }
  const fields = assigned.map(({ field }) => field);
  checkConditions(conditions, { entity, place: 'data', fields, texts, capabilities }, faults);
  const changed = new Map<string, string | null>();
  for (const { field, value } of assigned) {
    if (!field.writeValue) continue;
    const text = changedText(field, { entity, fields, texts, capabilities, place: 'data' });
    checkStored(entity, { field, text, place: placeOf(value) }, faults);
    changed.set(field.property, text);
  }
  faults.throwIfAny();
  return changed.size === 0 ? values : { ...values, changed };
}

/** The numbers that an update stores as they are. */
export function assignedNumbers(
  { assigned }: FilteredWrite,
  values: ParameterValues,
): readonly ColumnNumbers[] {
  return assigned.flatMap(({ field, value }) => {
    const isGiven = value.kind === 'parameter' || value.kind === 'literal';
    if (!isGiven || !isNumeric(field.type) || field.writeExp || field.writeValue) return [];
    const number = value.kind === 'literal' ? value.text : scalarAt(values, value.path);
    return [{ column: field.storedColumn, numbers: [number] }];
  });
}

type Assigned = FilteredWrite['assigned'][number]['value'];

function placeOf(value: Assigned): string {
  return value.kind === 'parameter' ? ['data', ...value.path].join('.') : 'data';
}

/** The text of an assigned value; undefined if the computed value does not fit the property. */
function textOf(
  entity: string,
  field: WriteField,
  value: Assigned,
  { values, capabilities }: CheckedFilteredWrite,
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
      const subject = { what: `Property '${field.property}' of entity '${entity}'`, place: 'data' };
      return evaluatedFor(subject, () =>
        textOfValue(evaluate(value.expression, { ...capabilities, valueAt }), field.type),
      );
    }
  }
}

function scalarAt({ texts }: ParameterValues, path: readonly string[]): string | null {
  const text = texts.get(path.join('.'));
  return typeof text === 'string' ? text : null;
}
