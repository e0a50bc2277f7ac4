/** Computes values of a row that the schema defines: defaults, and the results of `writeValue`. */
import type { StatementPlan } from '../../compiled-query.js';
import type { RowsWrite, WriteField } from '../../compiled-write.js';
import { EngineError } from '../../errors.js';
import type { Capabilities } from '../../values/evaluate/capabilities.js';
import { checkStored } from './check-values.js';
import type { Faults } from './faults.js';
import { changedText, defaultText, nameField, placeOfField } from './field-text.js';
import { rowsWriteOf, factsOf } from './write-facts.js';
import type { ReadonlyTexts, Texts } from './texts.js';
import type { WriteRow } from './write-row.js';

/** How defaults are filled in. */
export interface Filling {
  /** Whether a property gets its default. */
  readonly isFilled: (property: string) => boolean;
  /** Whether the row is a new one. */
  readonly isWhole: boolean;
  readonly capabilities: Capabilities;
  /** The known values, which defaults may read, and to which they are added. */
  readonly texts: Texts;
}

/** Adds the defaults of absent values to the row. */
export function fillDefaults(
  statement: StatementPlan,
  row: WriteRow,
  { isFilled, isWhole, capabilities, texts }: Filling,
): void {
  const { entity } = statement;
  const write = rowsWriteOf(statement);
  const { fields } = write;
  const { place } = row;
  for (const field of factsOf(write).defaulted) {
    const { property, default: fallback } = field;
    if (!fallback || !isFilled(property)) continue;
    const text = defaultText(field, fallback, { entity, fields, texts, capabilities, place });
    setDefault(row, field, text, isWhole);
    texts.set(property, text);
  }
}

/**
 * Sets a default that is computed or changed. If a required one is null, the row must exist: unless it is a new one,
 * only the database knows whether it does.
 */
function setDefault(
  { defaults }: WriteRow,
  { property, required }: WriteField,
  text: string | null,
  isWhole: boolean,
): void {
  if (text !== null || !required || isWhole) defaults.set(property, text);
}

/**
 * Sets the absent values of a new row that its conditions read to null, except for properties that are still `unknown`
 * or that the database fills in.
 */
export function fillAbsent(
  { conditions }: RowsWrite,
  texts: Texts,
  unknown: ReadonlySet<string>,
): void {
  for (const { reads, filledIn } of conditions) {
    for (const name of reads) {
      if (texts.has(name) || unknown.has(name) || filledIn.includes(name)) continue;
      texts.set(name, null);
    }
  }
}

/** How values are replaced. */
export interface Changing {
  readonly capabilities: Capabilities;
  readonly faults: Faults;
  /** Whether the row is a new one. */
  readonly isWhole: boolean;
  /** The values from which the new ones are computed; by default those of the row. */
  readonly texts?: ReadonlyTexts;
}

/**
 * Replaces the values of fields, which have been checked, by the results of their `writeValue`. A default is
 * stored only in a new row, but a given value may be stored in an existing row, whose other values are not known:
 * throws if it is computed from one of those.
 */
export function changeValues(
  statement: StatementPlan,
  row: WriteRow,
  changing: readonly WriteField[],
  { capabilities, faults, isWhole, texts = row.given.over(row.defaults) }: Changing,
): void {
  const { entity } = statement;
  const { fields } = rowsWriteOf(statement);
  const { given, defaults, place } = row;
  for (const field of changing) {
    const { property } = field;
    if (!texts.has(property)) continue;
    const mayBeUpdated = !isWhole && given.has(property);
    const missing = mayBeUpdated && field.writeValue?.reads.find((name) => !given.has(name));
    if (typeof missing === 'string') {
      // It may be in the data, but with a wrong type.
      faults.throwIfAny();
      throw missingPart(entity, field, missing, place);
    }
    const text = changedText(field, { entity, fields, texts, capabilities, place });
    checkStored(entity, { field, text, place: placeOfField(field, place) }, faults);
    if (given.has(property)) given.set(property, text);
    if (!defaults.has(property)) continue;
    defaults.delete(property);
    setDefault(row, field, text, isWhole);
  }
}

function missingPart(
  entity: string,
  field: WriteField,
  missing: string,
  place: string,
): EngineError {
  const { property, writeValue, hidden } = field;
  if (hidden || writeValue?.hidden?.includes(missing)) {
    const what = `${nameField(entity, field)} is computed from a value that the data cannot contain.`;
    return new EngineError('parameter-missing', what, { place: placeOfField(field, place) });
  }
  const message = `Property '${property}' is computed from '${missing}', which the data does not contain.`;
  return new EngineError('parameter-missing', message, { place: `${place}.${missing}` });
}
