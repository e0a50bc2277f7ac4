/**
 * What an import does with a row as `bulkInsert` would: defaults that are expressions, constraints of
 * the entity, and `writeValue`. Texts stand by the place of their property; undefined: left out.
 */
import type { RowsWrite, WriteCondition, WriteField } from '../compiled-write.js';
import { invariant } from '../errors.js';
import { dateTimeText } from '../result/date-text.js';
import type { Capabilities } from '../result/evaluate/capabilities.js';
import { checkConditions, checkStored, checkValue } from '../result/write/check-values.js';
import { Faults } from '../result/write/faults.js';
import { changedText, defaultText, type KnownTexts } from '../result/write/field-text.js';
import { invalid } from './import-error.js';

export type RowTexts = (string | null | undefined)[];

export interface TreatmentSettings {
  readonly entity: string;
  /** The write of a `bulkInsert` of the entity. */
  readonly write: RowsWrite;
  /** The properties of the rows, in the order of their texts. */
  readonly properties: readonly string[];
  /** Whether the values are those of the columns already: what changes them is past. */
  readonly isStored: boolean;
  readonly around: Capabilities;
}

export class RowTreatment {
  readonly #settings: TreatmentSettings;
  readonly #fields: readonly (WriteField | undefined)[];
  readonly #conditions: readonly WriteCondition[];
  readonly #changing: readonly number[];
  /** Whether the values of a row are those of the columns, and others than were given. */
  readonly #isPast: boolean;
  /** Those of the row whose default was evaluated. */
  readonly #defaulted: number[] = [];

  constructor(settings: TreatmentSettings) {
    const { write, properties, isStored, around } = settings;
    const now = dateTimeText(around.now) ?? around.now;
    this.#settings = { ...settings, around: { ...around, now } };
    const fields = new Map(write.fields.map((field) => [field.property, field]));
    this.#fields = properties.map((name) => fields.get(name));
    const isChanged = (name: string) =>
      Boolean(fields.get(name)?.writeValue ?? fields.get(name)?.writeExp);
    this.#isPast = isStored && write.fields.some(({ property }) => isChanged(property));
    this.#conditions = isStored
      ? write.conditions.filter(({ reads }) => !reads.some(isChanged))
      : write.conditions;
    this.#changing = this.#fields.flatMap((field, index) =>
      field?.writeValue && !isStored ? [index] : [],
    );
  }

  /** Whether it concerns rows that have all their properties, too. */
  get isOfAll(): boolean {
    return this.#conditions.length > 0 || this.#changing.length > 0;
  }

  /** Whether a property's value is not what is stored. */
  isChanged(index: number): boolean {
    return this.#changing.includes(index);
  }

  /**
   * The default of a property, from the values before it. Throws what an evaluation throws, and an
   * `ImportError` where the values are not those that it is made for.
   */
  default(index: number, texts: RowTexts, place: string): string | null {
    const field = this.#fields[index];
    invariant(field?.default, 'a property with a default');
    if (this.#isPast) {
      const detail = `'${field.property}' must be given: its default is an expression.`;
      throw invalid(`${place}.${field.property}`, detail);
    }
    this.#defaulted.push(index);
    return defaultText(field, field.default, this.#known(texts, place));
  }

  /** Checks a complete row; `unknown`: the key that it gets later. Throws `constraint-unmet`. */
  check(texts: RowTexts, place: string, unknown: number | undefined): void {
    const { entity } = this.#settings;
    const faults = new Faults();
    for (const index of this.#defaulted.splice(0)) {
      const field = this.#fields[index];
      const text = texts[index];
      if (!field || text === undefined) continue;
      checkValue(entity, { field, text, place: `${place}.${field.property}` }, faults);
    }
    if (this.#conditions.length > 0) {
      const known = this.#known(texts, place);
      checkConditions(this.#conditions, { ...known, texts: this.#whole(texts, unknown) }, faults);
    }
    faults.throwIfAny();
  }

  /** Puts what is stored in place of the values. Throws `constraint-unmet` where it has no room. */
  change(texts: RowTexts, place: string): void {
    if (this.#changing.length === 0) return;
    const known = this.#known(texts, place);
    const faults = new Faults();
    for (const index of this.#changing) {
      const field = this.#fields[index];
      if (!field || texts[index] === undefined) continue;
      const text = changedText(field, known);
      checkStored(known.entity, { field, text, place: `${place}.${field.property}` }, faults);
      texts[index] = text;
    }
    faults.throwIfAny();
  }

  #known(texts: RowTexts, place: string): KnownTexts {
    const { entity, write, around, properties } = this.#settings;
    const byName = new Map<string, string | null>();
    for (let index = 0; index < texts.length; index += 1) {
      const text = texts[index];
      if (text !== undefined) byName.set(properties[index] ?? '', text);
    }
    return { entity, fields: write.fields, texts: byName, around, place };
  }

  /** What is left out is null, but for what the database makes. */
  #whole(texts: RowTexts, unknown: number | undefined): ReadonlyMap<string, string | null> {
    const whole = new Map<string, string | null>();
    for (const { hidden = [] } of this.#conditions)
      for (const name of hidden) whole.set(name, null);
    for (const { property, generated } of this.#settings.write.fields) {
      if (!generated) whole.set(property, null);
    }
    for (const [index, property] of this.#settings.properties.entries()) {
      const text = texts[index] ?? null;
      if (text !== null) whole.set(property, text);
      if (index === unknown) whole.delete(property);
    }
    return whole;
  }
}
