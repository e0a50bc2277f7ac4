/**
 * What is under way, by numbers that only grow. A Map does the same, and much harm: each time it has
 * had enough deletes it moves into a new table, to which the old one points, and once an old one has
 * grown old, V8's young collections take all that came later for reachable.
 */

/** The number of no entry. */
const NONE = 0;
const SLOTS_MIN = 256;

export class NumberedTable<Value extends {}> {
  /** By the low bits of their numbers. */
  #numbers: number[] = emptyNumbers(SLOTS_MIN);
  #values: (Value | undefined)[] = emptyValues(SLOTS_MIN);
  /** Those that are under way for so long that a later one needs their place. */
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

  /** Adds what is not there yet. `number` is above 0. */
  add(number: number, value: Value): void {
    const slot = number & (this.#numbers.length - 1);
    const old = this.#values[slot];
    if (old !== undefined) this.#old.set(this.#numbers[slot] ?? NONE, old);
    this.#numbers[slot] = number;
    this.#values[slot] = value;
    this.#size += 1;
    if (this.#old.size > this.#numbers.length / 4) this.#grow();
  }

  /** Takes an entry out; undefined: there was none. */
  take(number: number): Value | undefined {
    const slot = number & (this.#numbers.length - 1);
    if (this.#numbers[slot] !== number) return this.#takeOld(number);
    const value = this.#values[slot];
    // An empty slot has a number, too, which is that of requests that were refused.
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

  /** What is there now, as a list of its own. */
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
