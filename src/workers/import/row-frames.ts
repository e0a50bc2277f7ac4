/** The frames of rows: each value is checked as it comes, and the row is staged when it is complete. */
import {
  checkValue,
  type DataValue,
  didYouMean,
  invalid,
  invariant,
  malformed,
  nameDataValue,
  type RowField,
  ValueFault,
} from '../../engine/index.js';
import { FlatRows } from './flat-row.js';
import type { Frame } from './frame.js';
import type { JsonScalar } from './json-events.js';
import type { StagedEntity } from './staged-entity.js';
import type { Nesting } from './staging.js';
import { ParentKey } from './parent-key.js';

/** A list of rows of one entity: those of the document, or those that nest in a row. */
export class RowListFrame implements Frame {
  readonly #row: RowFrame;
  readonly #placeOfList: () => string;
  /** Absent where all rows are looked at as a whole. */
  readonly #flat: FlatRows | undefined;
  readonly #parentKey: ParentKey | undefined;
  #index = -1;

  constructor(entity: StagedEntity, placeOfList: () => string, parentKey?: ParentKey) {
    this.#flat = entity.treatment?.isOfAll === true ? undefined : new FlatRows(entity);
    this.#parentKey = parentKey;
    this.#placeOfList = placeOfList;
    this.#row = new RowFrame(entity, () => this.place(), parentKey);
  }

  /** Begins another list of the same kind. */
  restart(): this {
    this.#index = -1;
    return this;
  }

  key(): void {}

  scalar(value: JsonScalar): void {
    throw this.#refuse(value);
  }

  takeObject(bytes: Buffer, at: number): number {
    if (!this.#flat || this.#parentKey?.unknownParent) return -1;
    const end = this.#flat.take(bytes, at, this.#parentKey?.given);
    if (end !== -1) this.#index += 1;
    return end;
  }

  object(): Frame {
    this.#index += 1;
    return this.#row.begin();
  }

  list(): Frame {
    throw this.#refuse([]);
  }

  close(): void {}

  /** Of the row that was read last. */
  place(): string {
    return this.#index < 0 ? this.#placeOfList() : `${this.#placeOfList()}[${this.#index}]`;
  }

  #refuse(value: DataValue): Error {
    this.#index += 1;
    return malformed(this.place(), `A row must be an object, not ${nameDataValue(value)}.`);
  }
}

/** One row at a time of an entity. */
class RowFrame implements Frame {
  readonly #entity: StagedEntity;
  readonly #placeOfRow: () => string;
  readonly #parentKey: ParentKey | undefined;
  readonly #texts: (string | null | undefined)[];
  readonly #lists = new Map<string, NestedList>();
  readonly #given = new Set<string>();
  #name = '';
  #index: number | undefined;
  #ordinal = 0;

  constructor(entity: StagedEntity, placeOfRow: () => string, parentKey?: ParentKey) {
    this.#entity = entity;
    this.#placeOfRow = placeOfRow;
    this.#parentKey = parentKey;
    this.#texts = entity.fields.map(() => undefined);
  }

  /** Begins another row. */
  begin(): this {
    this.#texts.fill(undefined);
    if (this.#given.size > 0) this.#given.clear();
    for (const { parentKey } of this.#lists.values()) parentKey.forget();
    this.#ordinal = this.#entity.nextOrdinal();
    return this;
  }

  key(name: string): void {
    this.#name = name;
    this.#index = this.#entity.indexOf(name);
    if (this.#index === undefined) return this.#otherKey(name);
    if (this.#texts[this.#index] === undefined) return;
    throw invalid(this.#placeOf(name), `'${name}' is given twice.`);
  }

  scalar(value: JsonScalar): void {
    const field = this.#fieldHere();
    if (field === undefined || this.#index === undefined) return this.#pass(value);
    // What the row around it fills in may be null here.
    if (value === null && this.#index === this.#parentKey?.index) return;
    const checked = checkValue(field, value);
    if (checked instanceof ValueFault) throw invalid(this.#placeOf(this.#name), checked.detail);
    this.#texts[this.#index] = checked;
  }

  object(): Frame {
    throw this.#refuseNested({});
  }

  list(): Frame {
    const nesting = this.#index === undefined ? this.#entity.nesting(this.#name) : undefined;
    if (!nesting) throw this.#refuseNested([]);
    const { parentKey, frame } = this.#listOf(nesting);
    // Of a key that is stored otherwise, the database tells.
    const isChanged = this.#entity.treatment?.isChanged(nesting.parentIndex) === true;
    const text = isChanged ? undefined : this.#texts[nesting.parentIndex];
    parentKey.begin(this.#ordinal, typeof text === 'string' ? text : undefined);
    return frame.restart();
  }

  close(): void {
    const { treatment } = this.#entity;
    this.#parentKey?.fill(this.#texts, () => this.place());
    for (let index = 0; index < this.#texts.length; index += 1) this.#complete(index);
    const waiting = this.#parentKey?.unknownParent;
    treatment?.check(this.#texts, this.place(), waiting?.nesting.childIndex);
    for (const { nesting, parentKey } of this.#lists.values()) {
      if (waiting && waiting.nesting.childIndex === nesting.parentIndex) continue;
      parentKey.settle(this.#texts[nesting.parentIndex], () => this.place());
    }
    treatment?.change(this.#texts, this.place());
    this.#entity.stage(this.#ordinal, this.#texts, waiting);
  }

  place(): string {
    return this.#placeOfRow();
  }

  #placeOf(name: string): string {
    return `${this.place()}.${name}`;
  }

  #fieldHere(): RowField | undefined {
    return this.#index === undefined ? undefined : this.#entity.fields[this.#index];
  }

  /** A name that is no property of a row to be. */
  #otherKey(name: string): void {
    const { known } = this.#entity;
    if (!known.has(name)) {
      const detail = `There is no property or relation '${name}' in '${this.#entity.name}'.`;
      throw invalid(this.#placeOf(name), detail, didYouMean(name, known));
    }
    if (this.#given.has(name)) throw invalid(this.#placeOf(name), `'${name}' is given twice.`);
    this.#given.add(name);
  }

  /** An absent property gets its default, or null where there may be none. */
  #complete(index: number): void {
    if (this.#texts[index] !== undefined) return;
    const field = this.#entity.fields[index];
    invariant(field, 'a field for each text');
    const { name } = field.property;
    const { absent } = field;
    if (absent === undefined) {
      const { treatment } = this.#entity;
      invariant(treatment, 'a default that is an expression is evaluated');
      this.#texts[index] = treatment.default(index, this.#texts, this.place());
      return;
    }
    if (absent !== null) this.#texts[index] = absent;
    else if (field.isRequired) {
      throw invalid(this.#placeOf(name), `'${name}' is required, and is missing.`);
    }
  }

  /** Properties that are only read stand in exports, and are passed over. */
  #pass(value: JsonScalar): void {
    if (!this.#entity.readOnly.has(this.#name)) throw this.#refuseNested(value);
  }

  #listOf(nesting: Nesting): NestedList {
    const known = this.#lists.get(nesting.name);
    if (known) return known;
    const parentKey = new ParentKey(nesting);
    const placeOfList = (): string => this.#placeOf(nesting.name);
    const frame = new RowListFrame(nesting.entity, placeOfList, parentKey);
    const list = { nesting, parentKey, frame };
    this.#lists.set(nesting.name, list);
    return list;
  }

  #refuseNested(value: DataValue): Error {
    const name = this.#name;
    const found = nameDataValue(value);
    const field = this.#fieldHere();
    if (field) {
      const fault = checkValue(field, value);
      const detail = fault instanceof ValueFault ? fault.detail : `'${name}' takes no ${found}.`;
      return invalid(this.#placeOf(name), detail);
    }
    if (this.#entity.nesting(name)) {
      return malformed(this.#placeOf(name), `'${name}' must be a list of rows, not ${found}.`);
    }
    return invalid(this.#placeOf(name), this.#entity.refusal(name));
  }
}

/** The rows that nest in a row under one of its relations. */
interface NestedList {
  readonly nesting: Nesting;
  readonly parentKey: ParentKey;
  readonly frame: RowListFrame;
}
