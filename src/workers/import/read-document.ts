/** Reads the document of an import while it arrives, and sends its rows to their sources. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addToGroup } from '../add-to-group.js';
import { dataJson, invariant } from '../../engine/index.js';
import type { ImportEntities } from './import-entities.js';
import type { ImportEntity } from './import-entity.js';
import { DeferredRows } from './deferred-rows.js';
import { importOf, type Imports } from './source-import.js';
import type { ListenerWrites } from './listener-writes.js';
import { parseRows, rowText } from './parse-rows.js';
import type { ImportRow, KeylessRow, RowReader } from './row-reader.js';
import { DocumentScanner, type DocumentSink, type RowsPiece } from './scan-document.js';
import type { Tally } from './tally.js';

/** How many bytes are read before other work of the thread may run. */
const SLICE_BYTES = 32 * 1024;
/** The most characters of a deferred row without a key: the database limits the size of a value. */
const KEYLESS_LENGTH_MAX = 1 << 20;

export interface Readers {
  readonly entities: ImportEntities;
  readonly reader: RowReader;
  /** Reads rows that were already read and counted. */
  readonly secondReader: RowReader;
  readonly listeners: ListenerWrites;
  readonly tally: Tally;
}

/**
 * Reads the whole document; returns the rows that must be written with their listeners, those with a key first.
 * Rejects with `import-malformed`, or with the error of a row.
 */
export async function readDocument(
  body: AsyncIterable<Uint8Array>,
  readers: Readers,
  imports: Imports,
): Promise<readonly DeferredRows[]> {
  const sink = new RowSink(readers, imports);
  const scanner = new DocumentScanner(sink);
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      scanner.write(bytes.subarray(start, start + SLICE_BYTES));
      await sink.send(false);
      await nextTurn();
    }
  }
  scanner.end();
  await sink.send(true);
  await sink.takeKeyless();
  return sink.listenedTo;
}

/** The entity and list of the rows being read. */
interface Target {
  readonly entity: ImportEntity;
  readonly place: string;
  readonly hasListeners: boolean;
  readonly makesKeysAtOnce: boolean;
}

/** Turns what the scanner finds into rows. */
class RowSink implements DocumentSink {
  readonly #readers: Readers;
  readonly #imports: Imports;
  readonly #listened: DeferredRows;
  readonly #listenedKeyless: DeferredRows;
  /** Rows without a key: a key generated now could collide with that of a later row. */
  readonly #keyless: DeferredRows;
  #target: Target | undefined;
  #rows: ImportRow[] = [];

  constructor(readers: Readers, imports: Imports) {
    this.#readers = readers;
    this.#imports = imports;
    this.#listened = new DeferredRows('rowgate_import_listened', imports);
    this.#listenedKeyless = new DeferredRows('rowgate_import_listened_keyless', imports);
    this.#keyless = new DeferredRows('rowgate_import_keyless', imports);
  }

  get listenedTo(): readonly DeferredRows[] {
    return [this.#listened, this.#listenedKeyless];
  }

  open(name: string, place: string, isStored: boolean): void {
    const { entities, listeners } = this.#readers;
    const entity = entities.entity(name, `${place}.entity`, isStored);
    const hasListeners = listeners.concerns(entity);
    const { makesKeysAtOnce } = importOf(this.#imports, entity.statement.source);
    this.#target = { entity, place: `${place}.rows`, hasListeners, makesKeysAtOnce };
  }

  rows(piece: RowsPiece): void {
    invariant(this.#target, 'rows of an entity');
    const { entity, place, hasListeners, makesKeysAtOnce } = this.#target;
    const { reader, secondReader } = this.#readers;
    const keyless: KeylessRow[] = [];
    for (const [index, placed] of parseRows(piece, place).entries()) {
      if (hasListeners) {
        // Read for its checks only; it is stored later, as it is in the document.
        const lacking: KeylessRow[] = [];
        reader.read(entity, placed, [], lacking);
        const isKeyless = lacking.some(({ place: own }) => own === placed.place);
        const deferred = isKeyless ? this.#listenedKeyless : this.#listened;
        deferred.add(entity, rowText(piece, index), placed.place);
      } else reader.read(entity, placed, this.#rows, makesKeysAtOnce ? keyless : undefined);
    }
    for (const row of keyless) {
      const text = dataJson(row.object);
      if (text !== undefined && text.length <= KEYLESS_LENGTH_MAX)
        this.#keyless.add(row.entity, text, row.place);
      else secondReader.read(row.entity, row, this.#rows);
    }
  }

  /** Sends the rows that have arrived; at the end, also those that are being collected. */
  async send(isEnd: boolean): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    await takeRows(this.#imports, rows);
    for (const each of [...this.listenedTo, this.#keyless]) await each.send(isEnd);
  }

  /** Sends the rows without keys, when all other keys are known. */
  async takeKeyless(): Promise<void> {
    const { secondReader } = this.#readers;
    for (const entity of this.#keyless.entities) {
      for await (const batch of this.#keyless.batchesOf(entity)) {
        const rows: ImportRow[] = [];
        for (const placed of batch) secondReader.read(entity, placed, rows);
        await takeRows(this.#imports, rows);
      }
    }
  }
}

/** Nested rows may belong to another source than the rows around them. */
async function takeRows(imports: Imports, rows: readonly ImportRow[]): Promise<void> {
  const bySource = new Map<string, ImportRow[]>();
  for (const row of rows) addToGroup(bySource, row.entity.statement.source, row);
  for (const [source, own] of bySource) await importOf(imports, source).take(own);
}
