/** Rows of an import that wait for its end, as JSON in a temporary table of their source. */
import {
  type DataValue,
  dialectOf,
  type Fields,
  invariant,
  isDataObject,
} from '../../engine/index.js';
import type { Statement, Written } from '../database/statement.js';
import { writtenTexts } from './written-texts.js';
import { parseData } from '../tasks/parse-data.js';
import type { ImportEntity } from './import-entity.js';
import type { PlacedRow } from './parse-rows.js';

/** Runs statements in the transaction of a source. */
export type RunOn = (
  source: string,
  statements: readonly Statement[],
) => Promise<readonly Written[]>;

/** Rows that are kept, and read again, together. */
const ROWS_MAX = 1000;
const LENGTH_MAX = 1 << 20;

/** The rows of an entity. */
interface Kept {
  /** Those that are not sent yet, each as the JSON of a {@link PlacedRow}. */
  texts: string[];
  length: number;
  /** The batches that were sent. */
  batches: number;
}

export class KeptRows {
  readonly #table: string;
  readonly #run: RunOn;
  readonly #kept = new Map<ImportEntity, Kept>();
  /** The sources that have the table. */
  readonly #sources = new Set<string>();

  /** `table` is the name of the temporary table. */
  constructor(table: string, run: RunOn) {
    this.#table = table;
    this.#run = run;
  }

  /** In the order in which they were first seen. */
  get entities(): readonly ImportEntity[] {
    return [...this.#kept.keys()];
  }

  /** Keeps the JSON text of a row. */
  add(entity: ImportEntity, text: string, place: string): void {
    const kept = this.#kept.get(entity) ?? { texts: [], length: 0, batches: 0 };
    this.#kept.set(entity, kept);
    kept.texts.push(`{"place":${JSON.stringify(place)},"object":${text}}`);
    kept.length += text.length;
  }

  /** Sends the batches that are full; at the end, all of them. */
  async send(isEnd: boolean): Promise<void> {
    for (const [entity, kept] of this.#kept) {
      while (kept.texts.length >= ROWS_MAX || kept.length >= LENGTH_MAX) {
        await this.#sendBatch(entity, kept);
      }
      if (isEnd && kept.texts.length > 0) await this.#sendBatch(entity, kept);
    }
  }

  /** The rows of an entity, in the order in which they came. */
  async *batchesOf(entity: ImportEntity): AsyncGenerator<readonly PlacedRow[]> {
    const { source, dialect } = entity.sentence;
    const { placeholder } = dialectOf(dialect);
    const where = `entity = ${placeholder(1)} AND number = ${placeholder(2)}`;
    const text = `SELECT data FROM ${this.#table} WHERE ${where}`;
    const types = ['integer', 'integer'] as const;
    for (let number = 0; number < (this.#kept.get(entity)?.batches ?? 0); number += 1) {
      const parameters = [String(entity.number), String(number)];
      const [found] = await this.#run(source, [{ text, parameters, types }]);
      yield rowsIn(writtenTexts(found));
    }
  }

  async #sendBatch(entity: ImportEntity, kept: Kept): Promise<void> {
    const { source, dialect } = entity.sentence;
    if (!this.#sources.has(source)) {
      await this.#run(source, [{ text: createText(this.#table, dialect), parameters: [] }]);
      this.#sources.add(source);
    }
    const { placeholder } = dialectOf(dialect);
    const values = [1, 2, 3].map((index) => placeholder(index)).join(', ');
    const data = `[${kept.texts.splice(0, ROWS_MAX).join(',')}]`;
    const text = `INSERT INTO ${this.#table} (entity, number, data) VALUES (${values})`;
    const parameters = [String(entity.number), String(kept.batches), data];
    await this.#run(source, [{ text, parameters, types: ['integer', 'integer', 'string'] }]);
    kept.length = kept.texts.reduce((sum, one) => sum + one.length, 0);
    kept.batches += 1;
  }
}

function createText(table: string, dialect: ImportEntity['sentence']['dialect']): string {
  const [type, end] =
    dialect === 'PostgreSQL' ? ['TEXT', ' ON COMMIT DROP'] : ['LONGTEXT CHARACTER SET utf8mb4', ''];
  return `CREATE TEMPORARY TABLE ${table} (entity INT, number INT, data ${type})${end}`;
}

function rowsIn(rows: readonly Fields[] | undefined): readonly PlacedRow[] {
  const kept = parseData(rows?.[0]?.[0] ?? undefined);
  invariant(Array.isArray(kept), 'rows that were kept');
  const items: readonly DataValue[] = kept;
  return items.map((item) => {
    invariant(isDataObject(item), 'a row that was kept');
    const { place, object } = item;
    invariant(typeof place === 'string' && isDataObject(object), 'a row that was kept');
    return { place, object };
  });
}
