/** Counts the rows of an import, and the members that the schema does not know. */
import type { IgnoredMembers } from '../protocol.js';
import type { ImportEntity } from './import-entity.js';

/** How many names are counted separately; all others are counted together. */
const NAMES_MAX = 1000;
const NAME_LENGTH_MAX = 100;
const OTHERS = '…';

export class Tally {
  readonly #rows = new Map<ImportEntity, number>();
  readonly #ignored = new Map<string, number>();

  addRow(entity: ImportEntity): void {
    this.#rows.set(entity, this.rowsOf(entity) + 1);
  }

  /** Rows that the database has left out. */
  removeRows(entity: ImportEntity, count: number): void {
    this.#rows.set(entity, this.rowsOf(entity) - count);
  }

  rowsOf(entity: ImportEntity): number {
    return this.#rows.get(entity) ?? 0;
  }

  addIgnored(entity: ImportEntity, member: string): void {
    const path = `${entity.name}.${shortened(member)}`;
    const isCounted = this.#ignored.has(path) || this.#ignored.size < NAMES_MAX;
    const key = isCounted ? path : OTHERS;
    this.#ignored.set(key, (this.#ignored.get(key) ?? 0) + 1);
  }

  get ignored(): IgnoredMembers {
    return Object.fromEntries(this.#ignored);
  }
}

function shortened(name: string): string {
  return name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}${OTHERS}` : name;
}
