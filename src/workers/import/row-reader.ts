/**
 * Reads the rows of an import, with the checks of a `bulkInsert`. Nested rows follow the row that
 * contains them, and get its key here, unless the database has yet to generate it.
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
  type PropertyType,
  type ReadRow,
  type StatementPlan,
  type WriteRow,
} from '../../engine/index.js';
import { malformed } from './document-members.js';
import { invalid } from './import-entities.js';
import type { KeyRegistry } from './given-keys.js';
import type { ImportEntity, Nesting } from './import-entity.js';
import type { PlacedRow } from './parse-rows.js';
import type { Tally } from './tally.js';

export interface ImportRow {
  readonly entity: ImportEntity;
  readonly row: WriteRow;
  /** Set if the row gets the key of a row that has none yet. */
  readonly waiting: Waiting | undefined;
  /** If other rows wait for its key, its number, from 1; otherwise 0. */
  ordinal: number;
}

export interface Waiting {
  readonly nesting: Nesting;
  readonly parent: ImportRow;
}

/** How rows are read. */
export interface ReaderSettings {
  readonly capabilities: Capabilities;
  readonly tally: Tally;
  /** Whether members that the schema does not know are an error. */
  readonly isStrict: boolean;
  /** The last number of a row for whose key others wait. Readers of one import share it, because their rows may meet. */
  readonly ordinals: { last: number };
  /** Takes the explicit keys. */
  readonly keys: KeyRegistry;
}

/** A row whose key the database generates, in an object with everything else. */
export interface KeylessRow extends PlacedRow {
  readonly entity: ImportEntity;
}

/** The most rows nested in one row at any depth, because they are in memory together. */
const NESTED_MAX = 200_000;

export class RowReader {
  readonly #settings: ReaderSettings;
  readonly #read: ReadRow;
  #rows: ImportRow[] = [];
  /** Set while rows without a key are being deferred. */
  #keyless: KeylessRow[] | undefined;
  /** How many more rows may be nested in the row. */
  #nestedLeft = NESTED_MAX;

  constructor(settings: ReaderSettings) {
    this.#settings = settings;
    this.#read = createRowReader(settings.capabilities);
  }

  /**
   * Adds the row and its nested rows to `rows`. If `keyless` is given, rows without a key go there,
   * with everything nested in them. Throws the error of a row, with its place.
   */
  read(
    entity: ImportEntity,
    { object, place }: PlacedRow,
    rows: ImportRow[],
    keyless?: KeylessRow[],
  ): void {
    this.#rows = rows;
    this.#keyless = keyless;
    this.#nestedLeft = NESTED_MAX;
    this.#readRow({ entity, statement: entity.statement, object, place });
  }

  /** Returns the parent's key if a nested row has one; null parts are unknown. */
  #readRow({ entity, statement, object, place, waiting, keyNames = [] }: RowObject): Key {
    const nestings = this.#nestingsIn(entity, object, place);
    const row = this.#read(statement, object, place);
    const key = keyNames.map((name) => row.given.get(name) ?? null);
    if (waiting) {
      const { to } = waiting.nesting;
      // A generated key replaces it.
      for (const name of to) {
        row.given.delete(name);
        row.defaults.delete(name);
      }
      const [first = ''] = to;
      if (row.complete) throw invalid(`${place}.${first}`, madeOfKey(first));
    }
    const own = { entity, row, waiting, ordinal: 0 };
    this.#settings.tally.addRow(entity);
    this.#settings.keys.add(entity, row);
    const keyless = this.#keyless;
    const start = this.#rows.length;
    const isDeferred = keyless !== undefined && isKeyless(own);
    if (isDeferred) this.#keyless = undefined;
    this.#rows.push(own);
    for (const nesting of nestings) this.#readNested(own, nesting, object[nesting.name] ?? null);
    this.#keyless = keyless;
    if (isDeferred) {
      this.#rows.length = start;
      keyless.push({ entity, object, place });
    }
    return key;
  }

  /** Checks the names of a row's members. */
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
    const { isStrict, tally } = this.#settings;
    if (!isStrict) return tally.addIgnored(entity, name);
    const detail = `There is no property or relation '${name}' in '${entity.name}'.`;
    const hint = didYouMean(name, entity.names);
    throw new EngineError('unknown-property', detail, { place: `${place}.${name}`, hint });
  }

  #readNested(parent: ImportRow, nesting: Nesting, list: DataValue): void {
    const { entity, keyless, name, to: keyNames } = nesting;
    const place = `${parent.row.place}.${name}`;
    const items = objectsOf(list, name, place);
    if (items.length === 0) return;
    this.#nestedLeft -= items.length;
    if (this.#nestedLeft < 0) {
      const detail = `A row may contain at most ${NESTED_MAX} nested rows: list them as a separate entity instead.`;
      throw malformed(place, detail);
    }
    const key = parentKey(parent, nesting);
    const waiting = key.includes(null) ? this.#await(parent, nesting) : undefined;
    let expected = key;
    for (const [index, item] of items.entries()) {
      const own = this.#readRow({
        entity,
        statement: waiting ? keyless : entity.statement,
        object: waiting ? item : withKey(item, nesting, key),
        place: `${place}[${index}]`,
        waiting,
        keyNames,
      });
      const differing = own.findIndex(
        (part, at) =>
          (waiting || hasOneText(nesting, at)) && !isSameKey(part, expected[at] ?? null),
      );
      if (differing !== -1) {
        const [keyName, from] = [keyNames[differing], nesting.from[differing]];
        const detail = `'${keyName}' differs from the '${from}' of its parent row.`;
        throw invalid(`${place}[${index}].${keyName}`, detail);
      }
      expected = own.map((part, at) => part ?? expected[at] ?? null);
    }
  }

  #await(parent: ImportRow, nesting: Nesting): Waiting {
    if (parent.ordinal === 0) {
      const { ordinals } = this.#settings;
      ordinals.last += 1;
      parent.ordinal = ordinals.last;
    }
    return { nesting, parent };
  }
}

/** A row before it is read. */
interface RowObject extends KeylessRow {
  readonly statement: StatementPlan;
  readonly waiting?: Waiting | undefined;
  /** For a nested row: the properties for its parent's key. */
  readonly keyNames?: readonly string[];
}

/** The parts of a parent's key; null for those that are not known. */
type Key = readonly (string | null)[];

/** The types whose values have one text, except integers. */
const ONE_TEXT: ReadonlySet<PropertyType> = new Set(['integer', 'date', 'uuid', 'boolean']);

const NO_NESTINGS: readonly Nesting[] = [];

/** Whether the database has to generate a key for the row. */
function isKeyless({ entity, row }: ImportRow): boolean {
  return entity.generated.some(({ property }) => !row.given.has(property));
}

/** The value of a property in a row, whether given or by default. */
export function textOf({ given, defaults }: WriteRow, property: string): string | null | undefined {
  const text = given.get(property);
  return text === undefined ? defaults.get(property) : text;
}

function objectsOf(list: DataValue, name: string, place: string): readonly DataObject[] {
  if (list === null) return [];
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

/** The key for nested rows, with null for parts that the database has yet to generate. */
function parentKey(parent: ImportRow, { from, to, entity, name }: Nesting): Key {
  const { row, waiting } = parent;
  return from.map((part, index) => {
    const key = textOf(row, part) ?? null;
    if (key !== null) return key;
    const isAwaited = waiting?.nesting.to.includes(part) === true;
    if (!isAwaited && parent.entity.field(part)?.generated !== true) {
      const query = `${parent.entity.name}.insert().include(p=>p.${name})`;
      throw invalid(
        `${row.place}.${part}`,
        `'${part}' must be given, because the row has nested rows, and no import can number it.`,
        `Give the row a key, or store it with its nested rows by ${query}.`,
      );
    }
    if (parent.entity.statement.source !== entity.statement.source) {
      const detail = `Its parent row must have an explicit '${part}', because it is in another source.`;
      throw invalid(`${row.place}.${name}[0].${to[index]}`, detail);
    }
    return null;
  });
}

/** The object with the missing parts of its parent's key. */
function withKey(object: DataObject, { entity, to }: Nesting, key: Key): DataObject {
  const missing = [...to.entries()].filter(([, name]) => (object[name] ?? null) === null);
  if (missing.length === 0) return object;
  const parts = missing.map(([at, name]): [string, DataValue] => {
    const text = key[at] ?? null;
    const isBoolean = text !== null && entity.field(name)?.type === 'boolean';
    return [name, isBoolean ? text === 'true' : text];
  });
  return { ...object, ...Object.fromEntries(parts) };
}

function madeOfKey(name: string): string {
  return `'${name}' must be given: other values are computed from it, and the key is not generated yet.`;
}

/** Whether equal values of a part of the key have the same text. Others are compared by the database, such as strings. */
function hasOneText({ parent, from, entity, to }: Nesting, at: number): boolean {
  const type = entity.field(to[at] ?? '')?.type;
  return type !== undefined && ONE_TEXT.has(type) && parent.field(from[at] ?? '')?.type === type;
}

/** Integers can be written in several ways. An unknown part counts as equal. */
function isSameKey(one: string | null, other: string | null): boolean {
  if (one === other || one === null || other === null) return true;
  const digits = /^[+-]?\d+$/;
  return digits.test(one) && digits.test(other) && BigInt(one) === BigInt(other);
}

function wrongReference(name: string, key: readonly string[], place: string): EngineError {
  const detail = `'${name}' leads to one row, which cannot be nested: give its key as '${key.join("', '")}'.`;
  return invalid(`${place}.${name}`, detail);
}
