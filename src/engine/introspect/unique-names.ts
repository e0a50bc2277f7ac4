/** Names that are taken, and the next one for a name that clashes. */

/** Gives each name once: the second `x` is `x2`, the third `x3`. */
export class UniqueNames {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** The wished name, or with the first number behind it that is free. */
  take(wished: string): string {
    return this.takeFirst([wished]);
  }

  /** The first of the wished names that is free, or the last with a number. */
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
