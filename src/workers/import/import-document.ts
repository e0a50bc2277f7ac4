/**
 * Imports a document into a stage. It is read as it arrives, checked row by row, and stored in one
 * transaction for each source; after an error, nothing is stored, unless the error says so.
 */
import {
  catalogUnderView,
  dependencyOrder,
  referencesOf,
  type DialectName,
} from '../../engine/index.js';
import type { Context } from '../context.js';
import { type Cancellation, createCancellation } from '../cancellation.js';
import { SourceError } from '../database/source-error.js';
import { runAllDeferred } from '../execute/deferred-writes.js';
import { commitAll } from '../execute/write-across.js';
import { type Leases, withLeases } from '../execute/with-leases.js';
import { placedFault } from '../execute/write-fault.js';
import type { Imported, ImportRequest } from '../protocol.js';
import { stageSources } from '../stage-sources.js';
import { KeyRegistry } from './given-keys.js';
import { ImportEntities } from './import-entities.js';
import type { ImportEntity } from './import-entity.js';
import { ListenerWrites } from './listener-writes.js';
import { MysqlImport } from './mysql-import.js';
import { PostgresqlImport } from './postgresql-import.js';
import { readDocument, type Readers } from './read-document.js';
import { RowReader } from './row-reader.js';
import {
  importOf,
  type Imports,
  type SourceImport,
  type SourceImportSettings,
} from './source-import.js';
import { Tally } from './tally.js';

const WRITING = { isolation: 'readCommitted', readOnly: false } as const;

export interface ImportOrder extends ImportRequest {
  readonly context: Context;
  /** The document: JSON in UTF-8, in pieces of any size. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly cancellation?: Cancellation;
}

/**
 * Stores the document. Rejects with an `EngineError` or a `SourceError`; only with `stored-in-part` and `outcome-unknown`,
 * something may be stored.
 */
export async function importDocument(order: ImportOrder): Promise<Imported> {
  const { context, stage, view, cancellation = createCancellation() } = order;
  const { catalog, sources } = context;
  const instant = new Date().toISOString();
  const entities = new ImportEntities({ catalog, stage, view });
  const capabilities = { now: instant, cipher: context.cipher };
  const tally = new Tally();
  const keys = new KeyRegistry();
  const shared = { capabilities, ordinals: { last: 0 }, keys };
  const reader = new RowReader({ ...shared, tally, isStrict: order.strict });
  const secondReader = new RowReader({ ...shared, tally: new Tally(), isStrict: false });
  const listeners = new ListenerWrites({ context, stage, view, instant, secondReader });
  const readers = { entities, reader, secondReader, listeners, tally };
  const leasing = { sources, names: stageSources(catalog, stage), cancellation };
  try {
    await withLeases({ ...leasing, mode: WRITING, isLong: true }, async (leases, shield) => {
      await storeDocument(order, readers, importsInto(order, { entities, keys, leases }));
      shield();
      await commitAll(partsOf(leases, entities.all), (lease) => lease.commit());
    });
  } catch (error) {
    await listeners.failed(error);
    throw error;
  }
  const plans = entities.all.map(({ plan }) => plan);
  await runAllDeferred(context, plans, listeners.deferred);
  const counts = entities.all.map((entity) => ({
    entity: entity.name,
    rows: tally.rowsOf(entity),
  }));
  return { counts, ignored: tally.ignored };
}

/** What each source has received, those with rows of the document last. */
function partsOf(leases: Leases, all: readonly ImportEntity[]) {
  const parts = [...leases].map(([source, lease]) => {
    const own = all.filter(({ statement }) => statement.source === source);
    return { source, lease, entities: new Set(own.map(({ name }) => name)) };
  });
  return parts.toSorted((a, b) => Number(a.entities.size > 0) - Number(b.entities.size > 0));
}

async function storeDocument(
  { context, body }: ImportOrder,
  readers: Readers,
  imports: Imports,
): Promise<void> {
  const { entities, listeners, tally } = readers;
  try {
    for (const one of imports.values()) await one.begin();
    const listenedTo = await readDocument(body, readers, imports);
    for (const one of imports.values()) await one.complete();
    const listened = new Set(listenedTo.flatMap((deferred) => deferred.entities));
    const waiting = new Set(inOrder(context, entities.all, listened));
    for (const entity of waiting) {
      // Rows with listeners are stored one entity after the other.
      const circle = listened.size === 0 ? circleOf(context, entity, waiting) : [];
      const stored = await importOf(imports, entity.statement.source).store?.(entity, circle);
      for (const [one, leftOut] of stored ?? []) {
        tally.removeRows(one, leftOut);
        waiting.delete(one);
      }
      waiting.delete(entity);
      for (const deferred of listenedTo) await listeners.write(imports, deferred, entity);
    }
    for (const one of imports.values()) await one.check();
  } finally {
    for (const one of imports.values()) await one.idle?.();
  }
}

const kinds: Record<DialectName, new (settings: SourceImportSettings) => SourceImport> = {
  PostgreSQL: PostgresqlImport,
  MySQL: MysqlImport,
  MariaDB: MysqlImport,
};

interface Importing extends Pick<SourceImportSettings, 'keys'> {
  readonly entities: ImportEntities;
  readonly leases: Leases;
}

/** The import of each source; errors use the names of the schema. */
function importsInto(
  { context, view }: ImportOrder,
  { entities, keys, leases }: Importing,
): Imports {
  const { schema, catalog, sources } = context;
  const faultIn = (source: string) => (error: unknown, written?: ImportEntity) => {
    const own = entities.all.filter(({ statement }) => statement.source === source);
    const [entity] = written ? [written] : own;
    if (!(error instanceof SourceError) || !entity) return error;
    const table = error.violation?.table;
    const named = [entity, ...own].find(({ write }) => write.storedTable === table) ?? entity;
    const visible = catalogUnderView(catalog, view);
    return placedFault(error, { schema, visible, root: named.statement, rows: [] });
  };
  return new Map(
    [...leases].map(([source, lease]): [string, SourceImport] => {
      const Kind = kinds[sources.get(source).dialect];
      return [source, new Kind({ lease, source, keys, faultOf: faultIn(source) })];
    }),
  );
}

/**
 * Sorts each entity after those that it refers to. Rows with listeners are written with everything nested in them. Of
 * references in a circle, those of an entity itself count most, because the order of the last pass is the final one.
 */
function inOrder(
  { catalog }: Context,
  entities: readonly ImportEntity[],
  listened: ReadonlySet<ImportEntity>,
): readonly ImportEntity[] {
  const writtenWith = (one: ImportEntity) => (listened.has(one) ? [...withNested(one)] : [one]);
  let order = entities;
  for (const writtenAtOnce of [writtenWith, (one: ImportEntity) => [one]]) {
    // The database may check new rows of a weak relation, too.
    for (const withWeak of [true, false]) {
      order = dependencyOrder(order, (one) =>
        writtenAtOnce(one).flatMap(({ name }) => {
          const entity = catalog.entity(name);
          return entity ? referencesOf(entity, catalog.entity, withWeak) : [];
        }),
      );
    }
  }
  return order;
}

/** The entities that wait to be stored, of those that an entity refers to, directly or through others in its source. */
function circleOf(
  { catalog }: Context,
  entity: ImportEntity,
  waiting: ReadonlySet<ImportEntity>,
): readonly ImportEntity[] {
  const found = new Set([entity]);
  const others = [...waiting].filter(
    ({ statement }) => statement.source === entity.statement.source,
  );
  for (const { name } of found) {
    const own = catalog.entity(name);
    const names = own ? referencesOf(own, catalog.entity, true) : [];
    for (const other of others) if (names.includes(other.name)) found.add(other);
  }
  return [...found].slice(1);
}

function withNested(
  entity: ImportEntity,
  found = new Set<ImportEntity>(),
): ReadonlySet<ImportEntity> {
  if (found.has(entity)) return found;
  found.add(entity);
  for (const nested of entity.nested) withNested(nested, found);
  return found;
}
