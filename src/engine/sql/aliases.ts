/**
 * Assigns table aliases: the first letter of the entity, with a number if the letter is taken. Tables
 * that only the schema's own conditions read get aliases of another form, so that they do not change
 * the others.
 */
import type { RowSource } from '../query/logical.js';

/** Returns the alias of a row; it is assigned when the row is first mentioned. */
export type Aliases = (row: RowSource) => string;

/** Aliases that are unique within one query, including its includes. */
export function createAliases(): Aliases {
  const counts = new Map<string, number>();
  const given = new Map<RowSource, string>();
  let auxiliary = 0;
  const next = (row: RowSource): string => {
    if (row.isAuxiliary) return `of_${++auxiliary}`;
    const letter = /[a-z]/.exec(row.entity.name.toLowerCase())?.[0] ?? 't';
    const count = counts.get(letter) ?? 0;
    counts.set(letter, count + 1);
    return count === 0 ? letter : `${letter}${count}`;
  };
  return (row) => {
    const alias = given.get(row) ?? next(row);
    given.set(row, alias);
    return alias;
  };
}
