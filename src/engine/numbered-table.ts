/**
 * A table of entries in flight, by ascending numbers. A Map would work, but leaks memory under
 * churn: after many deletes it moves to a new table, to which the old one points. Once an old table
 * is in V8's old generation, minor collections treat everything it references as reachable.
 */

/** The number of an empty slot. */
const NONE = 0;
const SLOTS_MIN = 256;

export class NumberedTable<Value extends {}> {
  /** Indexed by the low bits of their numbers. */
  #numbers: number[] = emptyNumbers(SLOTS_MIN);
  #values: (Value | undefined)[] = emptyValues(SLOTS_MIN);
  /** Entries that have been in flight so long that a later one needs their slot. */
  readonly #old = new Map<number, Value>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(number: number): Value | undefined {
    const slot = number & (this.#numbers.length - 1);
    if (this.#numbers[slot] === number) return this.#values[slot];
    return this.#old.size === 0 ? undefined : this.#old.get(number);
  }

  /** Adds a new entry. `number` is greater than 0. */
  add(number: number, value: Value): void {
    const slot = number & (this.#numbers.length - 1);
    const old = this.#values[slot];
    if (old !== undefined) this.#old.set(this.#numbers[slot] ?? NONE, old);
    this.#numbers[slot] = number;
    this.#values[slot] = value;
    this.#size += 1;
    if (this.#old.size > this.#numbers.length / 4) this.#grow();
  }

  /** Removes an entry and returns it; undefined if there is none. */
  take(number: number): Value | undefined {
    const slot = number & (this.#numbers.length - 1);
    if (this.#numbers[slot] !== number) return this.#takeOld(number);
    const value = this.#values[slot];
    // Empty slots have the number of refused requests.
    if (value === undefined) return undefined;
    this.#numbers[slot] = NONE;
    this.#values[slot] = undefined;
    this.#size -= 1;
    return value;
  }

  clear(): void {
    this.#numbers.fill(NONE);
    this.#values.fill(undefined);
    this.#old.clear();
    this.#size = 0;
  }

  /** A list of the current entries. */
  entries(): (readonly [number, Value])[] {
    const entries: (readonly [number, Value])[] = [...this.#old];
    for (const [slot, value] of this.#values.entries()) {
      if (value !== undefined) entries.push([this.#numbers[slot] ?? NONE, value]);
    }
    return entries;
  }

  #takeOld(number: number): Value | undefined {
    const value = this.#old.get(number);
    if (value === undefined) return undefined;
    this.#old.delete(number);
    this.#size -= 1;
    return value;
  }

  #grow(): void {
    const entries = this.entries();
    const slots = this.#numbers.length * 2;
    this.#numbers = emptyNumbers(slots);
    this.#values = emptyValues(slots);
    this.#old.clear();
    this.#size = 0;
    for (const [number, value] of entries) this.add(number, value);
  }
}

function emptyNumbers(slots: number): number[] {
  return Array.from({ length: slots }, () => NONE);
}

function emptyValues<Value>(slots: number): (Value | undefined)[] {
  return Array.from({ length: slots }, () => undefined);
}
