/**
 * Values that depend on a foreign key which is known only after another row has been stored. They are
 * computed, checked and replaced at that time.
 */
import type { StatementPlan } from '../../compiled-query.js';
import type { RowsWrite, WriteField } from '../../compiled-write.js';
import type { Capabilities } from '../../values/evaluate/capabilities.js';
import { checkConditions, checkValue } from './check-values.js';
import { Faults } from './faults.js';
import { placeOfField } from './field-text.js';
import { changeValues, fillAbsent, fillDefaults } from './made-values.js';
import { lacksRequired } from './row-likeness.js';
import { rowsWriteOf, factsOf } from './write-facts.js';
import type { Texts } from './texts.js';
import type { WriteRow } from './write-row.js';

/** The properties whose default reads one of `linked`, or another such default. */
export function lateDefaults(
  write: RowsWrite,
  { given }: WriteRow,
  linked: ReadonlySet<string>,
): ReadonlySet<string> {
  const late = new Set<string>();
  for (const { property, default: fallback } of factsOf(write).defaulted) {
    if (fallback?.kind !== 'expression' || given.has(property) || linked.has(property)) continue;
    if (fallback.reads.some((name) => linked.has(name) || late.has(name))) late.add(property);
  }
  return late;
}

/**
 * Whether the result of a `writeValue` depends on values that are not known yet. Keys are stored
 * unchanged.
 */
export function isLateChange(
  { property, writeValue }: WriteField,
  linked: ReadonlySet<string>,
  late: ReadonlySet<string>,
): boolean {
  if (linked.size === 0 || !writeValue || linked.has(property)) return false;
  return late.has(property) || writeValue.reads.some((name) => linked.has(name) || late.has(name));
}

/** What is known about a row before the rows that it is linked to are stored. */
export interface Awaiting {
  readonly linked: ReadonlySet<string>;
  readonly late: ReadonlySet<string>;
  /** Whether absent values count as null. */
  readonly isWhole: boolean;
  /** Whether constraints on the foreign keys themselves are checked, too. */
  readonly checksKeys: boolean;
  readonly capabilities: Capabilities;
}

/**
 * A function that computes the late values of a row once its foreign keys are known; undefined if it
 * has none.
 */
export function lateValues(
  statement: StatementPlan,
  row: WriteRow,
  { linked, late, isWhole, checksKeys, capabilities }: Awaiting,
): WriteRow['complete'] {
  const { entity } = statement;
  const write = rowsWriteOf(statement);
  const { fields } = write;
  const changing = factsOf(write).changing.filter((field) => isLateChange(field, linked, late));
  const isLate = (name: string) => late.has(name) || (checksKeys && linked.has(name));
  const conditions = write.conditions.filter(({ reads }) => reads.some(isLate));
  if (late.size === 0 && changing.length === 0 && conditions.length === 0) return undefined;
  const texts = row.given.over(row.defaults);
  const { place } = row;
  return () => {
    const faults = new Faults();
    takeKeys(row, linked, texts);
    const isFilled = (name: string) => late.has(name);
    fillDefaults(statement, row, { isFilled, isWhole, capabilities, texts });
    for (const field of factsOf(write).defaulted.filter(({ property }) => late.has(property))) {
      const text = row.defaults.get(field.property);
      // What was not set is the stored value, which is not known.
      if (text === undefined) texts.delete(field.property);
      else checkValue(entity, { field, text, place: placeOfField(field, place) }, faults);
    }
    const known = texts.over();
    if (isWhole) fillAbsent(write, known, NONE);
    // A row that can only be updated does not get its defaults.
    else if (lacksRequired(write, row)) {
      for (const name of row.defaults.keys()) if (!row.given.has(name)) known.delete(name);
    }
    checkConditions(conditions, { entity, place, fields, texts: known, capabilities }, faults);
    changeValues(statement, row, changing, { capabilities, faults, isWhole, texts });
    faults.throwIfAny();
  };
}

const NONE: ReadonlySet<string> = new Set();

function takeKeys({ given, defaults }: WriteRow, linked: ReadonlySet<string>, texts: Texts): void {
  for (const name of linked) {
    const key = given.get(name) ?? defaults.get(name);
    if (key !== undefined) texts.set(name, key);
  }
}
