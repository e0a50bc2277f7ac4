/** What an update sets in chosen rows, against bounds and constraints, before the database is asked. */
import type { Sentence } from '../../compiled-query.js';
import type { ChosenWrite } from '../../compiled-write.js';
import type { ParameterValues } from '../arguments.js';
import { dateTimeText } from '../date-text.js';
import { checkConditions, checkValue } from './check-values.js';
import { Faults } from './faults.js';

/** Throws `constraint-unmet` with all that is not met. */
export function checkChosen(
  { entity }: Sentence,
  { assigned, conditions }: ChosenWrite,
  values: ParameterValues,
  now: string,
): void {
  const faults = new Faults();
  const texts = new Map<string, string | null>();
  for (const { field, value } of assigned) {
    const text = textOf(value, values);
    const place = value.kind === 'parameter' ? ['data', ...value.path].join('.') : 'data';
    texts.set(field.property, text);
    checkValue(entity, { field, text, place }, faults);
  }
  const fields = assigned.map(({ field }) => field);
  const known = { place: 'data', fields, texts, now: dateTimeText(now) ?? now };
  checkConditions(conditions, known, faults);
  faults.throwIfAny();
}

type Assigned = ChosenWrite['assigned'][number]['value'];

function textOf(value: Assigned, { texts }: ParameterValues): string | null {
  if (value.kind === 'null') return null;
  if (value.kind === 'literal') return value.text;
  const text = texts.get(value.path.join('.'));
  return typeof text === 'string' ? text : null;
}
