/** Reads the document of an import while it arrives, and sends its rows to the sources they are for. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { invariant } from '../../engine/index.js';
import type { ImportEntities } from './import-entities.js';
import type { ImportEntity } from './import-entity.js';
import type { ListenedRows, RunOn } from './listened-rows.js';
import { parseRows } from './parse-rows.js';
import type { ImportRow, RowReader } from './row-reader.js';
import { DocumentScanner, type DocumentSink, type RowsPiece } from './scan-document.js';
import type { SourceImport } from './source-import.js';

/** Bytes that are read before others of the thread have their turn. */
const SLICE_BYTES = 64 * 1024;

/** The part of each source, by its name. */
export type Imports = ReadonlyMap<string, SourceImport>;

export interface Readers {
  readonly entities: ImportEntities;
  readonly reader: RowReader;
  readonly listened: ListenedRows;
}

/** Reads all of it. Rejects with `import-malformed`, or for what is wrong with a row. */
export async function readDocument(
  body: AsyncIterable<Uint8Array>,
  readers: Readers,
  imports: Imports,
): Promise<void> {
  const { listened } = readers;
  const sink = new RowSink(readers);
  const scanner = new DocumentScanner(sink);
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      scanner.write(bytes.subarray(start, start + SLICE_BYTES));
      for (const rows of sink.take()) await takeRows(imports, rows);
      await listened.send(runOn(imports), false);
      await nextTurn();
    }
  }
  scanner.end();
  await listened.send(runOn(imports), true);
}

/** Runs statements in the transaction of a source. */
export function runOn(imports: Imports): RunOn {
  return (source, statements) => importOf(imports, source).run(statements);
}

export function importOf(imports: Imports, source: string): SourceImport {
  const found = imports.get(source);
  invariant(found, `the source ${source} of the stage`);
  return found;
}

/** Rows that nest may be for another source than those around them. */
async function takeRows(imports: Imports, rows: readonly ImportRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const sourceOf = ({ entity }: ImportRow) => entity.sentence.source;
  const sources = imports.size === 1 ? [sourceOf(first)] : [...new Set(rows.map(sourceOf))];
  for (const source of sources) {
    const own = imports.size === 1 ? rows : rows.filter((row) => sourceOf(row) === source);
    await importOf(imports, source).take(own);
  }
}

/** Where the rows that come now belong. */
interface Target {
  readonly entity: ImportEntity;
  readonly place: string;
  readonly isStored: boolean;
  readonly isListened: boolean;
}

/** Makes rows of what the scanner finds. */
class RowSink implements DocumentSink {
  readonly #readers: Readers;
  #target: Target | undefined;
  #rows: (readonly ImportRow[])[] = [];

  constructor(readers: Readers) {
    this.#readers = readers;
  }

  open(name: string, place: string, isStored: boolean): void {
    const { entities, listened } = this.#readers;
    const entity = entities.entity(name, `${place}.entity`, isStored);
    const isListened = listened.hears(entity);
    this.#target = { entity, place: `${place}.rows`, isStored, isListened };
  }

  rows(piece: RowsPiece): void {
    invariant(this.#target, 'rows of an entity');
    const { entity, place, isStored, isListened } = this.#target;
    const { reader, listened } = this.#readers;
    const rows = reader.read(entity, parseRows(piece, place));
    // What listeners hear is written as the document has it, now that it is known to be right.
    if (isListened) listened.add(entity, piece, place, isStored);
    else this.#rows.push(rows);
  }

  /** Gives the rows away that have come so far. */
  take(): readonly (readonly ImportRow[])[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }
}
