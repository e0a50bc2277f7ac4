/**
 * Imports a document into a stage: read as it arrives, checked row by row, and stored in one
 * transaction a source, all of it or nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Catalog, catalogUnderView, invariant, malformed } from '../../engine/index.js';
import { createCipher } from '../cipher/cipher.js';
import { type Cancellation, createCancellation } from '../cancellation.js';
import type { ImportCount } from '../protocol.js';
import type { SourceRegistry } from '../database/registry.js';
import { type ColumnBits, readColumnBits } from './column-bits.js';
import { OutermostFrame } from './document-frames.js';
import { FrameStack } from './frame.js';
import { JsonFault } from './json-fault.js';
import { JsonReader } from './json-reader.js';
import { readMysqlColumnBits } from './mysql-column-bits.js';
import { MysqlImport } from './mysql-import.js';
import { PostgresqlImport } from './postgresql-import.js';
import { RowListFrame } from './row-frames.js';
import { type Clients, withStageClients } from './stage-clients.js';
import type { SourceImport } from './source-import.js';
import { Staging } from './staging.js';

/** Bytes that are read before others of the thread have their turn. */
const SLICE_BYTES = 64 * 1024;
/** Bytes of rows that gather before they are sent to the database. */
const SEND_LENGTH = 1 << 20;

const WRITING = { isolation: 'readCommitted', readOnly: false } as const;

export interface ImportOrder {
  readonly catalog: Catalog;
  readonly stage: string;
  /** Undefined: every entity and property may be in the document. */
  readonly view?: string;
  readonly sources: SourceRegistry;
  /** The document: JSON in UTF-8, cut anywhere. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly cancellation?: Cancellation;
  /** Hears of the bytes that were read, and of the rows in them. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** How far an import has come; nothing is stored before its end. */
export interface ImportProgress {
  readonly bytes: number;
  readonly rows: number;
}

/**
 * Stores the document and answers with the rows of each entity, in the order of the document.
 * Rejects with an `ImportError` for what is wrong with it, else with an `EngineError` or a
 * `SourceError`; then nothing is stored.
 */
export async function importDocument(order: ImportOrder): Promise<readonly ImportCount[]> {
  const settings = { ...order, cancellation: order.cancellation ?? createCancellation() };
  const outcome = await withStageClients({ ...settings, mode: WRITING }, (clients) =>
    importInto(settings, clients),
  );
  if ('error' in outcome) throw outcome.error;
  return outcome.counts;
}

/** A failure that was rolled back is a value: the connections are as good as before. */
type Outcome = { readonly counts: readonly ImportCount[] } | { readonly error: unknown };

async function importInto(order: ImportOrder & Cancellable, clients: Clients): Promise<Outcome> {
  const { catalog, cancellation } = order;
  const imports = new Map<string, SourceImport>();
  for (const [name, client] of clients) {
    const source = catalog.source(name);
    invariant(source, `the source ${name} of the stage`);
    const shared = { source, catalog, cancellation };
    imports.set(
      name,
      client.kind === 'mysql'
        ? new MysqlImport({ ...shared, session: client.session })
        : new PostgresqlImport({ ...shared, client: client.client }),
    );
  }
  try {
    const bitsOf = await columnBits(catalog, clients);
    const around = { now: new Date().toISOString(), cipher: createCipher() };
    const shown = order.view === undefined ? catalog : catalogUnderView(catalog, order.view);
    const staging = new Staging({ catalog: shown, stage: order.stage, around, bitsOf });
    for (const one of imports.values()) await one.begin();
    await readDocument(order, staging, imports);
    for (const one of imports.values()) await one.store();
    for (const one of imports.values()) await one.commit();
    return { counts: staging.counts };
  } catch (error) {
    return rolledBack(imports, error);
  }
}

/** Where a roll-back fails the connections are gone, and the first error is still the one to tell. */
async function rolledBack(imports: Imports, error: unknown): Promise<Outcome> {
  const rollBacks = await Promise.allSettled([...imports.values()].map((one) => one.rollBack()));
  if (rollBacks.some(({ status }) => status === 'rejected')) throw error;
  return { error };
}

interface Cancellable {
  readonly cancellation: Cancellation;
}

async function columnBits(catalog: Catalog, clients: Clients): Promise<ColumnBits> {
  const known: ColumnBits[] = [];
  for (const [name, client] of clients) {
    const mapping = catalog.mapping(catalog.source(name)?.mapping ?? '');
    const entities = mapping?.entities ?? [];
    known.push(
      await (client.kind === 'mysql'
        ? readMysqlColumnBits(client.session, entities)
        : readColumnBits(client.client, entities)),
    );
  }
  return (entity, property) => {
    for (const bitsOf of known) {
      const bits = bitsOf(entity, property);
      if (bits !== undefined) return bits;
    }
    return undefined;
  };
}

type Imports = ReadonlyMap<string, SourceImport>;

async function readDocument(order: ImportOrder, staging: Staging, imports: Imports): Promise<void> {
  const frames = new FrameStack(
    new OutermostFrame((entity, place, isStored) => {
      const staged = staging.entity(entity, `${place}.entity`, isStored);
      return new RowListFrame(staged, () => `${place}.rows`);
    }),
  );
  const reader = new JsonReader(frames);
  let bytes = 0;
  for await (const chunk of order.body) {
    for (let start = 0; start < chunk.byteLength; start += SLICE_BYTES) {
      const slice = chunk.subarray(start, start + SLICE_BYTES);
      withPlace(frames, () => reader.write(slice));
      await sendRows(staging, imports, SEND_LENGTH);
      await nextTurn();
    }
    bytes += chunk.byteLength;
    order.onProgress?.({ bytes, rows: staging.rows });
  }
  withPlace(frames, () => reader.end());
  await sendRows(staging, imports, 1);
}

/** What is no JSON is told with the place that the reading had come to. */
function withPlace(frames: FrameStack, read: () => void): void {
  try {
    read();
  } catch (error) {
    throw error instanceof JsonFault ? malformed(frames.place, error.message) : error;
  }
}

/** Sends the rows of the entities that have gathered so many, or of all when they have together. */
async function sendRows(staging: Staging, imports: Imports, length: number): Promise<void> {
  const waiting = staging.entities.filter((staged) => staged.waitingLength > 0);
  const total = waiting.reduce((sum, staged) => sum + staged.waitingLength, 0);
  if (total < length) return;
  for (const staged of waiting) await imports.get(staged.source)?.send(staged);
}
