/**
 * Texts by property. A request can have hundreds of thousands of rows, so they share the names, and
 * each row is one short list.
 */

/** Undefined stands for an absent value. Texts are canonical, or as the database sent them. */
type Values = (string | null | undefined)[];

/** Texts that can only be read. */
export interface ReadonlyTexts {
  get(name: string): string | null | undefined;
  has(name: string): boolean;
}

export class Texts implements ReadonlyTexts {
  readonly #names: Names;
  /** Undefined while there are none, which is usual for defaults. */
  #values: Values | undefined;

  constructor(names: Names = new Names(), values?: Values) {
    this.#names = names;
    this.#values = values;
  }

  get(name: string): string | null | undefined {
    const position = this.#names.positions.get(name);
    return position === undefined ? undefined : this.#values?.[position];
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, text: string | null): void {
    this.put(this.#names.positionOf(name), text);
  }

  /** The text at the position of its name. */
  at(position: number): string | null | undefined {
    return this.#values?.[position];
  }

  put(position: number, text: string | null): void {
    this.#values ??= this.#names.blank.slice();
    this.#values[position] = text;
  }

  delete(name: string): void {
    const position = this.#names.positions.get(name);
    if (position !== undefined && this.#values) this.#values[position] = undefined;
  }

  /** The names of the present texts. */
  keys(): readonly string[] {
    if (!this.#values) return [];
    return [...this.#names.positions.keys()].filter((name) => this.has(name));
  }

  get characters(): number {
    let count = 0;
    for (const text of this.#values ?? []) count += text?.length ?? 0;
    return count;
  }

  /** A copy in which absent texts are taken from `others`. */
  over(others: Texts = NONE): Texts {
    const both = new Texts(this.#names, this.#values?.slice());
    for (const name of others.keys()) {
      const text = others.get(name);
      if (text !== undefined && !both.has(name)) both.set(name, text);
    }
    return both;
  }
}

/** The names of a write's properties, and the position of each property's text. */
export class Names {
  readonly positions = new Map<string, number>();
  /** The values of an empty row. A copy of it has exactly the size that it needs. */
  readonly blank: undefined[] = [];

  positionOf(name: string): number {
    const known = this.positions.get(name);
    if (known !== undefined) return known;
    this.positions.set(name, this.blank.length);
    return this.blank.push(undefined) - 1;
  }
}

const NONE = new Texts(new Names());
