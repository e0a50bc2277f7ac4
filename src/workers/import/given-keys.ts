/** The explicit keys of a document where the database could generate them, so that none that it generates equals one. */
import type { WriteField, WriteRow } from '../../engine/index.js';
import type { ImportEntity } from './import-entity.js';

/** The lowest and the highest explicit key of a column. */
export interface GivenKeys {
  readonly entity: ImportEntity;
  readonly field: WriteField;
  lowest: number | bigint;
  highest: number | bigint;
}

/** A key of type `any` may be another text, which the database refuses. */
const INTEGER = /^-?\d+$/;
/** Numbers of up to so many characters are exact. */
const EXACT_LENGTH = 15;

export class KeyRegistry {
  readonly #byColumn = new Map<string, GivenKeys>();

  /** Records the explicit keys of a row. No table stores one of more than 64 bits. */
  add(entity: ImportEntity, { given }: WriteRow): void {
    for (const field of entity.numbered) {
      const text = given.get(field.property);
      if (typeof text !== 'string' || !INTEGER.test(text)) continue;
      const key = text.length > EXACT_LENGTH ? BigInt(text) : Number(text);
      if (typeof key === 'bigint' && BigInt.asIntN(64, key) !== key) continue;
      const known = this.of(entity, field);
      if (!known) {
        const keys = { entity, field, lowest: key, highest: key };
        this.#byColumn.set(columnOf(entity, field), keys);
      } else if (key > known.highest) known.highest = key;
      else if (key < known.lowest) known.lowest = key;
    }
  }

  of(entity: ImportEntity, field: WriteField): GivenKeys | undefined {
    return this.#byColumn.get(columnOf(entity, field));
  }

  inSource(source: string): readonly GivenKeys[] {
    return [...this.#byColumn.values()].filter(({ entity }) => entity.statement.source === source);
  }
}

function columnOf({ statement, write }: ImportEntity, { column }: WriteField): string {
  return `${statement.source} ${write.table} ${column}`;
}
