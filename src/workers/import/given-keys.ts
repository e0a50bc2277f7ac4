/** The explicit keys of a document where the database could generate them, so that none that it generates equals one. */
import type { WriteField, WriteRow } from '../../engine/index.js';
import type { ImportEntity } from './import-entity.js';

/** The lowest and the highest explicit key of a table. */
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
  readonly #byTable = new Map<string, GivenKeys>();

  /** Records the key of a row if it has an explicit one. No table stores one of more than 64 bits. */
  add(entity: ImportEntity, { given }: WriteRow): void {
    const { generated: field } = entity;
    const text = field && given.get(field.property);
    if (!field || typeof text !== 'string' || !INTEGER.test(text)) return;
    const key = text.length > EXACT_LENGTH ? BigInt(text) : Number(text);
    if (typeof key === 'bigint' && BigInt.asIntN(64, key) !== key) return;
    const known = this.of(entity);
    if (!known) {
      const keys = { entity, field, lowest: key, highest: key };
      this.#byTable.set(tableOf(entity), keys);
    } else if (key > known.highest) known.highest = key;
    else if (key < known.lowest) known.lowest = key;
  }

  of(entity: ImportEntity): GivenKeys | undefined {
    return this.#byTable.get(tableOf(entity));
  }

  inSource(source: string): readonly GivenKeys[] {
    return [...this.#byTable.values()].filter(({ entity }) => entity.statement.source === source);
  }
}

function tableOf({ statement, write }: ImportEntity): string {
  return `${statement.source} ${write.table}`;
}
