/** Makes names unique by appending numbers. */

/** Gives each name once: the second `x` becomes `x2`, the third `x3`. */
export class UniqueNames {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** The requested name, with a number if it is taken. */
  take(wished: string): string {
    return this.takeFirst([wished]);
  }

  /** The first of the requested names that is free, or the last one with a number. */
  takeFirst(wished: readonly string[]): string {
    let name = wished.find((each) => !this.#taken.has(each));
    const last = wished.at(-1) ?? '';
    for (let number = 2; name === undefined; number += 1) {
      const numbered = `${last}${number}`;
      if (!this.#taken.has(numbered)) name = numbered;
    }
    this.#taken.add(name);
    return name;
  }
}
