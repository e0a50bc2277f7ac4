/**
 * Imports a document into a stage: read as it arrives, checked row by row, and stored in one
 * transaction a source, all of it or nothing.
 */
import { dependencyOrder, referencesOf } from '../../engine/index.js';
import type { Context } from '../context.js';
import { type Cancellation, createCancellation } from '../cancellation.js';
import { runAllDeferred } from '../execute/deferred-writes.js';
import type { IgnoredMembers, ImportCount } from '../protocol.js';
import { ImportEntities } from './import-entities.js';
import type { ImportEntity } from './import-entity.js';
import { importFault } from './import-fault.js';
import type { DeferredRows } from './deferred-rows.js';
import { ListenerWrites } from './listener-writes.js';
import { MysqlImport } from './mysql-import.js';
import { PostgresqlImport } from './postgresql-import.js';
import { PostgresqlTransaction } from './postgresql-transaction.js';
import { importOf, type Imports, readDocument, type Readers, runOn } from './read-document.js';
import { RowReader } from './row-reader.js';
import type { SourceImport } from './source-import.js';
import { Tally } from './tally.js';
import { type Clients, withStageClients } from './stage-clients.js';

const WRITING = { isolation: 'readCommitted', readOnly: false } as const;

export interface ImportOrder {
  readonly context: Context;
  readonly stage: string;
  readonly view: string;
  /** Whether members that the schema does not know are refused. */
  readonly isStrict: boolean;
  /** The document: JSON in UTF-8, cut anywhere. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly cancellation?: Cancellation;
}

export interface Imported {
  /** The rows of each entity, in the order of the document. */
  readonly counts: readonly ImportCount[];
  readonly ignored: IgnoredMembers;
}

/** Stores the document. Rejects with an `EngineError` or a `SourceError`; then nothing is stored. */
export async function importDocument(order: ImportOrder): Promise<Imported> {
  const { context, stage, view, cancellation = createCancellation() } = order;
  const { catalog, sources } = context;
  const instant = new Date().toISOString();
  const entities = new ImportEntities({ catalog, stage, view });
  const capabilities = { now: instant, cipher: context.cipher };
  const tally = new Tally();
  const reader = new RowReader({ capabilities, tally, isStrict: order.isStrict });
  const secondReader = new RowReader({ capabilities, tally: new Tally(), isStrict: false });
  const listeners = new ListenerWrites({ context, stage, view, instant });
  const parts = { entities, reader, secondReader, listeners };
  const settings = { catalog, stage, sources, cancellation, mode: WRITING };
  try {
    const failure = await withStageClients(settings, (clients) =>
      importInto({ ...order, cancellation }, parts, clients),
    );
    if (failure) throw failure.error;
  } catch (error) {
    await listeners.failed(error);
    throw error;
  }
  const plans = entities.all.map(({ plan }) => plan);
  await runAllDeferred(context, plans, listeners.later);
  const counts = entities.all.map((entity) => ({
    entity: entity.name,
    rows: tally.rowsOf(entity),
  }));
  return { counts, ignored: tally.ignored };
}

/** A failure that was rolled back is a value: the connections are as good as before. */
interface Failure {
  readonly error: unknown;
}

async function importInto(
  order: ImportOrder & { readonly cancellation: Cancellation },
  parts: Readers,
  clients: Clients,
): Promise<Failure | undefined> {
  const imports = importsInto(order, parts, clients);
  const forget = order.cancellation.onCancel(() => {
    for (const client of clients.values()) if (client.kind === 'mysql') client.session.cancel();
  });
  try {
    for (const one of imports.values()) await one.begin();
    const listenedTo = await readDocument(order.body, parts, imports);
    for (const one of imports.values()) await one.complete();
    await storeAll(order.context, { ...parts, listenedTo }, imports);
    for (const one of imports.values()) await one.check();
    forget();
    for (const one of imports.values()) await one.commit();
    return undefined;
  } catch (error) {
    forget();
    return rolledBack(imports, error);
  }
}

function importsInto(
  { context, view, cancellation }: ImportOrder & { readonly cancellation: Cancellation },
  { entities }: Readers,
  clients: Clients,
): Imports {
  const { schema, catalog } = context;
  return new Map(
    [...clients].map(([source, client]): [string, SourceImport] => {
      const faultOf = (error: unknown, entity?: ImportEntity): unknown => {
        const own = entities.all.filter(({ sentence }) => sentence.source === source);
        return importFault(error, { schema, catalog, view }, own, entity);
      };
      if (client.kind === 'mysql') {
        return [source, new MysqlImport({ connection: client.session, source, faultOf })];
      }
      const connection = new PostgresqlTransaction(client.client, cancellation);
      return [source, new PostgresqlImport({ connection, source, faultOf })];
    }),
  );
}

/** Where a roll-back fails the connections are gone, and the first error is still the one to tell. */
async function rolledBack(imports: Imports, error: unknown): Promise<Failure> {
  const rollBacks = await Promise.allSettled([...imports.values()].map((one) => one.rollBack()));
  if (rollBacks.some(({ status }) => status === 'rejected')) throw error;
  return { error };
}

/** Each entity behind those that it refers to. */
async function storeAll(
  { catalog }: Context,
  { entities, listeners, listenedTo }: Readers & { readonly listenedTo: DeferredRows },
  imports: Imports,
): Promise<void> {
  const ordered = dependencyOrder(entities.all, ({ name }) => {
    const entity = catalog.entity(name);
    return entity ? referencesOf(entity, catalog.entity) : [];
  });
  for (const entity of ordered) {
    await importOf(imports, entity.sentence.source).store(entity);
    await listeners.write(runOn(imports), listenedTo, entity);
  }
}
