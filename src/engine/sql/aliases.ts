/**
 * Assigns table aliases: the first letter of the entity, with a number if the letter is taken. Tables
 * that only the schema's own conditions read get aliases of another form, so that they do not change
 * the others.
 */
import type { RowSource } from '../query/logical.js';

export interface Aliases {
  /** The alias of a row; it is assigned when the row is first mentioned. */
  of(row: RowSource): string;
}

/** Aliases that are unique within one query, including its includes. */
export function createAliases(): Aliases {
  const counts = new Map<string, number>();
  const given = new Map<RowSource, string>();
  let auxiliary = 0;
  return {
    of(row) {
      const known = given.get(row);
      if (known !== undefined) return known;
      if (row.isAuxiliary) {
        auxiliary += 1;
        given.set(row, `of_${auxiliary}`);
        return `of_${auxiliary}`;
      }
      const letter = /[a-z]/.exec(row.entity.name.toLowerCase())?.[0] ?? 't';
      const count = counts.get(letter) ?? 0;
      counts.set(letter, count + 1);
      const alias = count === 0 ? letter : `${letter}${count}`;
      given.set(row, alias);
      return alias;
    },
  };
}
