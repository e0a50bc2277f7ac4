/**
 * Rows of an import from their objects: checked as a `bulkInsert` checks them, nested ones behind those
 * that they nest in. What nests gets its parent's key here, unless the database is yet to make it.
 */
import {
  type Capabilities,
  createRowReader,
  type DataObject,
  type DataValue,
  didYouMean,
  EngineError,
  isDataObject,
  nameDataValue,
  type ReadRow,
  type Sentence,
  type WriteRow,
} from '../../engine/index.js';
import type { IgnoredMembers } from '../protocol.js';
import { malformed } from './document-members.js';
import { invalid } from './import-entities.js';
import type { ImportEntity, Nesting } from './import-entity.js';
import type { ParsedRows } from './parse-rows.js';

/** A row to be stored. */
export interface ImportRow {
  readonly entity: ImportEntity;
  readonly row: WriteRow;
  /** Set where the row gets the key of another one that has none yet. */
  readonly waiting: Waiting | undefined;
  /** A number of its own, from 1, where other rows wait for its key; else 0. */
  ordinal: number;
}

export interface Waiting {
  readonly nesting: Nesting;
  readonly parent: ImportRow;
}

/** Names that are counted each by itself; further ones are counted together. */
const NAMES_MAX = 1000;
const OTHERS = '…';

export class RowReader {
  readonly #read: ReadRow;
  readonly #isStrict: boolean;
  readonly #ignored = new Map<string, number>();
  #rows: ImportRow[] = [];
  #ordinals = 0;

  /** `isStrict`: members that the schema does not know are refused. */
  constructor(context: Capabilities, isStrict: boolean) {
    this.#read = createRowReader(context);
    this.#isStrict = isStrict;
  }

  get ignored(): IgnoredMembers {
    return Object.fromEntries(this.#ignored);
  }

  /** The rows, and behind each those that nest in it. Throws for what is wrong with one, with its place. */
  read(entity: ImportEntity, { rows, first, place }: ParsedRows): readonly ImportRow[] {
    this.#rows = [];
    const { sentence } = entity;
    for (const [index, object] of rows.entries()) {
      this.#readRow({ entity, sentence, object, place: `${place}[${first + index}]` });
    }
    return this.#rows;
  }

  /** Answers with the key of its parent that a nested row has. */
  #readRow({ entity, sentence, object, place, waiting, keyName }: RowObject): string | null {
    const nestings = this.#nestingsIn(entity, object, place);
    const row = this.#read(sentence, object, place);
    const key = keyName === undefined ? null : (row.given.get(keyName) ?? null);
    // The key that the database makes takes its place.
    if (waiting) row.given.delete(waiting.nesting.to);
    const own = { entity, row, waiting, ordinal: 0 };
    entity.rows += 1;
    this.#rows.push(own);
    for (const nesting of nestings) this.#readNested(own, nesting, object[nesting.name] ?? null);
    return key;
  }

  /** Looks at the names of a row's members. */
  #nestingsIn(entity: ImportEntity, object: DataObject, place: string): readonly Nesting[] {
    let nestings = NO_NESTINGS;
    for (const name of Object.keys(object)) {
      const member = entity.member(name);
      if (member === undefined) this.#ignore(entity, name, place);
      else if (member.kind === 'rows') nestings = [...nestings, member.nesting];
      else if (member.kind === 'reference') throw wrongReference(name, member.key, place);
    }
    return nestings;
  }

  #ignore(entity: ImportEntity, name: string, place: string): void {
    if (this.#isStrict) {
      const detail = `There is no property or relation '${name}' in '${entity.name}'.`;
      const hint = didYouMean(name, entity.names);
      throw new EngineError('unknown-property', detail, { place: `${place}.${name}`, hint });
    }
    const path = `${entity.name}.${name}`;
    const isCounted = this.#ignored.has(path) || this.#ignored.size < NAMES_MAX;
    const key = isCounted ? path : OTHERS;
    this.#ignored.set(key, (this.#ignored.get(key) ?? 0) + 1);
  }

  #readNested(parent: ImportRow, nesting: Nesting, list: DataValue): void {
    const { entity, keyless, name, to: keyName } = nesting;
    const place = `${parent.row.place}.${name}`;
    const items = objectsOf(list, name, place);
    if (items.length === 0) return;
    const key = parentKey(parent, nesting);
    const waiting = key === null ? this.#await(parent, nesting) : undefined;
    let expected = key;
    for (const [index, item] of items.entries()) {
      const isGiven = (item[keyName] ?? null) !== null;
      const own = this.#readRow({
        entity,
        sentence: waiting ? keyless : entity.sentence,
        object: isGiven || waiting ? item : { ...item, [keyName]: key },
        place: `${place}[${index}]`,
        waiting,
        keyName,
      });
      if (own === null) continue;
      if (expected !== null && !isSameKey(own, expected)) {
        const detail = `'${keyName}' differs from the '${nesting.from}' of the row around it.`;
        throw invalid(`${place}[${index}].${keyName}`, detail);
      }
      expected = own;
    }
  }

  #await(parent: ImportRow, nesting: Nesting): Waiting {
    if (parent.ordinal === 0) {
      this.#ordinals += 1;
      parent.ordinal = this.#ordinals;
    }
    return { nesting, parent };
  }
}

/** An object that a row is read from. */
interface RowObject {
  readonly entity: ImportEntity;
  readonly sentence: Sentence;
  readonly object: DataObject;
  readonly place: string;
  readonly waiting?: Waiting | undefined;
  /** Of a nested row: the property that holds its parent's key. */
  readonly keyName?: string;
}

const NO_NESTINGS: readonly Nesting[] = [];

/** What stands in a row for a property, whether given or by default. */
export function textOf({ given, defaults }: WriteRow, property: string): string | null | undefined {
  const text = given.get(property);
  return text === undefined ? defaults.get(property) : text;
}

function objectsOf(list: DataValue, name: string, place: string): readonly DataObject[] {
  if (!Array.isArray(list)) {
    throw malformed(place, `'${name}' must be a list of rows, not ${nameDataValue(list)}.`);
  }
  const items: readonly DataValue[] = list;
  return items.map((item, index) => {
    if (isDataObject(item)) return item;
    const detail = `A row must be an object, not ${nameDataValue(item)}.`;
    throw malformed(`${place}[${index}]`, detail);
  });
}

/** The key that nested rows get; null where the database is yet to make it. */
function parentKey(parent: ImportRow, { from, to, entity, name }: Nesting): string | null {
  const { row, waiting } = parent;
  const key = textOf(row, from) ?? null;
  if (key !== null) return key;
  const isComing = waiting?.nesting.to === from || parent.entity.field(from)?.generated === true;
  if (!isComing) {
    throw invalid(`${row.place}.${from}`, `'${from}' must not be null: rows nest under it.`);
  }
  if (parent.entity.sentence.source !== entity.sentence.source) {
    const detail = `The row around it must have its '${from}': it is in another source.`;
    throw invalid(`${row.place}.${name}[0].${to}`, detail);
  }
  return null;
}

/** Integers may be written in several ways. */
function isSameKey(one: string, other: string): boolean {
  if (one === other) return true;
  const digits = /^[+-]?\d+$/;
  return digits.test(one) && digits.test(other) && BigInt(one) === BigInt(other);
}

function wrongReference(name: string, key: string, place: string): EngineError {
  const detail = `'${name}' leads to one row, which cannot nest here: give its key as '${key}'.`;
  return invalid(`${place}.${name}`, detail);
}
