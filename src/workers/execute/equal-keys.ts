/**
 * Finds keys that the database considers equal although their texts differ: strings by their collation,
 * decimals of another scale, times of another precision. The database returns children for such keys, which
 * would otherwise belong to no parent.
 */
import { addToGroup } from '../add-to-group.js';
import {
  collectChildKeys,
  type DialectName,
  type EqualKeys,
  type Include,
  keyOfText,
  type PropertyType,
  type RowBytes,
  type RowKey,
} from '../../engine/index.js';
import { decodeText } from '../decode-text.js';
import { alikeKeys } from './alike-keys.js';

export interface Family {
  readonly include: Include;
  /** The type of their keys. */
  readonly type: PropertyType | undefined;
  /** The dialect of the parents. */
  readonly dialect: DialectName;
  /** Their keys, without duplicates. */
  readonly keys: readonly string[];
}

type FetchChildren = (keys: readonly string[]) => Promise<RowBytes>;

/** Equal values of two columns of one of these types have equal texts. A key of several columns is JSON. */
const ONE_TEXT: ReadonlySet<PropertyType> = new Set(['integer', 'date', 'binary']);

/** For fewer keys than this, halving them takes fewer statements than numbering them. */
const FEW = 8;

/** `children` are those of all keys. Usually their keys have the texts of the parents' keys, and nothing is fetched. */
export async function findEqualKeys(
  family: Family,
  children: RowBytes,
  fetch: FetchChildren,
): Promise<EqualKeys | undefined> {
  const { include, keys } = family;
  if (children.length === 0 || haveOneText(family)) return undefined;
  const found = collectChildKeys(include, children, decodeText);
  const isOne = include.cardinality === 'one';
  const unknown = isOne ? without(keys, found) : without(found, keys);
  const doubtful = include.hasEqualParents && !isOne ? doubtfulKeys(keys, found) : [];
  const all = doubtful.flat();
  const compared = isOne ? [unknown] : unknown.length > 0 ? [keys] : doubtful;
  if (unknown.length === 0 && all.length === 0) return undefined;
  const equal = new Map<RowKey, RowKey[]>();
  for (const some of compared) {
    const comparison = new Comparison(include, fetch, all);
    await comparison.compare(some);
    for (const [key, others] of comparison.equal) equal.set(key, others);
  }
  return equal;
}

/**
 * The keys of parents whose children may have the text of another parent: those that differ only as most collations
 * ignore it, and others without a child of their own text. They are compared apart, because the latter rarely have any.
 */
function doubtfulKeys(
  keys: readonly string[],
  found: readonly string[],
): readonly (readonly string[])[] {
  const several = alikeKeys(keys)
    .filter(({ length }) => length > 1)
    .flat();
  return [several, without(without(keys, found), several)].filter(({ length }) => length > 0);
}

function haveOneText({ type, dialect, include: { statement } }: Family): boolean {
  if (type === undefined) return false;
  const isOnPostgresql = dialect === 'PostgreSQL' && statement.dialect === 'PostgreSQL';
  // The other databases store uuids as strings, which may differ in case.
  if (!ONE_TEXT.has(type) && !(type === 'uuid' && isOnPostgresql)) return false;
  return statement.columns.findLast(({ role }) => role === 'parent')?.type === type;
}

class Comparison {
  readonly equal = new Map<RowKey, RowKey[]>();
  readonly #include: Include;
  readonly #fetch: FetchChildren;
  readonly #doubtful: ReadonlySet<string>;

  constructor(include: Include, fetch: FetchChildren, doubtful: readonly string[]) {
    this.#include = include;
    this.#fetch = fetch;
    this.#doubtful = new Set(doubtful);
  }

  async compare(keys: readonly string[]): Promise<void> {
    if (keys.length < FEW) return this.#halve(keys);
    // Often, some parents have no children.
    if (!(await this.#look(keys)).isDone) await this.#number(keys);
  }

  /**
   * Fetches children twice for each binary digit of the keys' numbers: for the keys where it is 0, and for those where
   * it is 1. If the key of a child equals only one of the keys, the digits are the number of that key.
   */
  async #number(keys: readonly string[]): Promise<void> {
    const digits = Math.ceil(Math.log2(keys.length));
    const places = new Map<string, { number: number; digits: number }>();
    for (let digit = 0; digit < digits; digit += 1) {
      for (const value of [0, 1]) {
        const some = keys.filter((_, number) => ((number >> digit) & 1) === value);
        for (const other of (await this.#look(some)).others) {
          const place = places.get(other) ?? { number: 0, digits: 0 };
          place.number |= value << digit;
          place.digits += 1;
          places.set(other, place);
        }
      }
    }
    const all = new Set(keys);
    const open = new Set(keys);
    let isComplete = true;
    for (const [other, { number, digits: seen }] of places) {
      const key = keys[number];
      if (seen === digits && key !== undefined && !all.has(other)) {
        this.#add(key, other);
        open.delete(key);
      } else isComplete = false;
    }
    // The other child keys equal several keys. With cardinality `one`, a key that was found equals no other child key.
    if (isComplete) return;
    if (this.#include.cardinality === 'one') await this.#halve([...open]);
    else {
      this.equal.clear();
      await this.#halve(keys);
    }
  }

  /** Halves the keys until one is left. */
  async #halve(keys: readonly string[]): Promise<void> {
    const { others, isDone } = await this.#look(keys);
    const [first] = keys;
    if (isDone || first === undefined) return;
    if (keys.length === 1) {
      for (const other of others) this.#add(first, other);
      return;
    }
    const middle = keys.length >> 1;
    await this.#halve(keys.slice(0, middle));
    await this.#halve(keys.slice(middle));
  }

  /**
   * Fetches the children of these keys. `others` are the child keys whose texts are not among these keys; `isDone`: none of
   * these keys has a child with the text of another key.
   */
  async #look(keys: readonly string[]) {
    const found = collectChildKeys(this.#include, await this.#fetch(keys), decodeText);
    const others = without(found, keys);
    const isDoubtful = found.length > 0 && keys.some((key) => this.#doubtful.has(key));
    return { others, isDone: others.length === 0 && !isDoubtful };
  }

  #add(key: string, other: string): void {
    addToGroup(this.equal, keyOfText(key), keyOfText(other));
  }
}

function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const excluded = new Set(others);
  return texts.filter((text) => !excluded.has(text));
}
