/**
 * The enums of a schema: one for each enumerated type, or for each column with a list of values.
 */
import type { ExistingColumn, ExistingEnum, ExistingTable } from '../ddl/existing.js';
import type { DraftEnum } from './schema-draft.js';
import { UniqueNames } from './unique-names.js';
import { entityName } from './words.js';

/** Names enums in the order in which they are found; an enumerated type gets one name. */
export class EnumNames {
  readonly #names = new UniqueNames();
  readonly #known = new Map<string, DraftEnum>();

  /** All enums, in the order in which they were found. */
  get all(): readonly DraftEnum[] {
    return [...this.#known.values()];
  }

  /**
   * The name of a column's enum: that of its type (`Mood`), or of the table and the column
   * (`FilmRating`).
   */
  nameOf(table: ExistingTable, column: ExistingColumn, { name, values }: ExistingEnum): string {
    const wished = name ?? `${table.name} ${column.name}`;
    const key = JSON.stringify([wished, values]);
    const known = this.#known.get(key);
    if (known) return known.name;
    const made = { name: this.#names.take(entityName(wished)), values };
    this.#known.set(key, made);
    return made.name;
  }
}
