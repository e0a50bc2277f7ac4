/** Rows of an import that are stored at its end; until then, in a temporary table of their source. */
import {
  type DataValue,
  dialectOf,
  type Fields,
  invariant,
  isDataObject,
} from '../../engine/index.js';
import { plain, type Statement, type Written } from '../database/statement.js';
import { writtenTexts } from '../database/read-texts.js';
import { parseData } from '../parse-data.js';
import type { ImportEntity } from './import-entity.js';
import type { PlacedRow } from './parse-rows.js';
import { importOf, type Imports } from './source-import.js';

/** The most rows that are stored, and read again, together. */
const ROWS_MAX = 1000;
const LENGTH_MAX = 1 << 20;

interface Deferred {
  /** Rows that are not sent yet, each as the JSON of a {@link PlacedRow}. */
  texts: string[];
  length: number;
  /** The number of batches that were sent. */
  batches: number;
}

export class DeferredRows {
  readonly #table: string;
  readonly #imports: Imports;
  readonly #deferred = new Map<ImportEntity, Deferred>();
  readonly #sources = new Set<string>();

  /** `table` is the name of the temporary table. */
  constructor(table: string, imports: Imports) {
    this.#table = table;
    this.#imports = imports;
  }

  /** In the order of their first rows. */
  get entities(): readonly ImportEntity[] {
    return [...this.#deferred.keys()];
  }

  /** Defers a row, given as its JSON text. */
  add(entity: ImportEntity, text: string, place: string): void {
    const own = this.#deferred.get(entity) ?? { texts: [], length: 0, batches: 0 };
    this.#deferred.set(entity, own);
    own.texts.push(`{"place":${JSON.stringify(place)},"object":${text}}`);
    own.length += text.length;
  }

  /** Sends the full batches; at the end, all of them. */
  async send(isEnd: boolean): Promise<void> {
    for (const [entity, own] of this.#deferred) {
      while (own.texts.length >= ROWS_MAX || own.length >= LENGTH_MAX) {
        await this.#sendBatch(entity, own);
      }
      if (isEnd && own.texts.length > 0) await this.#sendBatch(entity, own);
    }
  }

  /** The rows of an entity in their original order. */
  async *batchesOf(entity: ImportEntity): AsyncGenerator<readonly PlacedRow[]> {
    const { source, dialect } = entity.statement;
    const { placeholder } = dialectOf(dialect);
    const where = `entity = ${placeholder(1)} AND number = ${placeholder(2)}`;
    const text = `SELECT data FROM ${this.#table} WHERE ${where}`;
    const types = ['integer', 'integer'] as const;
    for (let number = 0; number < (this.#deferred.get(entity)?.batches ?? 0); number += 1) {
      const parameters = [String(entity.number), String(number)];
      const [found] = await this.#run(source, [{ text, parameters, types }]);
      yield rowsIn(writtenTexts(found));
    }
  }

  #run(source: string, statements: readonly Statement[]): Promise<readonly Written[]> {
    return importOf(this.#imports, source).run(statements);
  }

  async #sendBatch(entity: ImportEntity, own: Deferred): Promise<void> {
    const { source, dialect } = entity.statement;
    if (!this.#sources.has(source)) {
      await this.#run(source, [plain(createText(this.#table, dialect))]);
      this.#sources.add(source);
    }
    const { placeholder } = dialectOf(dialect);
    const values = [1, 2, 3].map((index) => placeholder(index)).join(', ');
    const data = `[${own.texts.splice(0, ROWS_MAX).join(',')}]`;
    const text = `INSERT INTO ${this.#table} (entity, number, data) VALUES (${values})`;
    const parameters = [String(entity.number), String(own.batches), data];
    await this.#run(source, [{ text, parameters, types: ['integer', 'integer', 'string'] }]);
    own.length = own.texts.reduce((sum, one) => sum + one.length, 0);
    own.batches += 1;
  }
}

function createText(table: string, dialect: ImportEntity['statement']['dialect']): string {
  const { textType, suffix } = dialectOf(dialect).ddl.temporaryTable;
  const columns = `entity INT, number INT, data ${textType}, PRIMARY KEY (entity, number)`;
  return `CREATE TEMPORARY TABLE ${table} (${columns})${suffix}`;
}

function rowsIn(rows: readonly Fields[] | undefined): readonly PlacedRow[] {
  const list = parseData(rows?.[0]?.[0] ?? undefined);
  invariant(Array.isArray(list), 'rows that were deferred');
  const items: readonly DataValue[] = list;
  return items.map((item) => {
    invariant(isDataObject(item), 'a row that was deferred');
    const { place, object } = item;
    invariant(typeof place === 'string' && isDataObject(object), 'a row that was deferred');
    return { place, object };
  });
}
