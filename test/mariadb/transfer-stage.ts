/** A stage on a separate MariaDB database, for push, import and export. */
import type { DialectName, Schema } from '../../src/engine/index.js';
import { createContext } from '../../src/workers/context.js';
import { type ImportOrder, importDocument } from '../../src/workers/import/import-document.js';
import type { ImportCount, Imported } from '../../src/workers/protocol.js';
import { exportDocument } from '../workers/export-document.js';
import { push } from '../../src/workers/tasks/ddl.js';
import { createMariadbDatabase, type MariadbServer } from '../support/mariadb.js';
import { refusing } from '../workers/import-stage.js';
import { settings } from '../workers/test-worker.js';
import { driverOf } from '../support/drivers.js';

export interface MariadbStage {
  readonly schema: Schema;
  readonly connection: MariadbServer & { readonly database: string };
  import(document: unknown): Promise<readonly ImportCount[]>;
  /** Imports with another account of the database, or another way to the server. */
  importAs(changes: Partial<MariadbServer>, document: unknown): Promise<Imported>;
  /** Exports the stage, and returns the whole answer. */
  importAll(document: unknown, more?: Partial<ImportOrder>): Promise<Imported>;
  export(): Promise<string>;
  sql(text: string): Promise<unknown>;
  /** The rows of a statement, as lists. */
  rows(text: string): Promise<readonly unknown[][]>;
  close(): Promise<void>;
}

/** Creates a database for `schema`, whose sources are all on it. */
export async function openMariadbStage(
  base: Schema,
  dialect: DialectName = 'MariaDB',
): Promise<MariadbStage> {
  const database = await createMariadbDatabase();
  const { connection } = database;
  const sources = base.sources.map((one) => ({ ...one, dialect, connection }));
  const schema = { ...base, sources };
  await push({ schema, dryRun: false, say: () => undefined });
  const context = createContext({ ...settings, schema }, driverOf);
  const { catalog, sources: registry } = context;
  const order = {
    catalog,
    sources: registry,
    stage: 'default',
    view: 'default',
    withReadOnly: false,
  };
  const importAs: MariadbStage['importAs'] = async (changes, document) => {
    const sources = schema.sources.map((one) => ({
      ...one,
      connection: { ...connection, ...changes },
    }));
    const context = createContext({ ...settings, schema: { ...schema, sources } }, driverOf);
    try {
      const given = { context, stage: 'default', view: 'default', strict: false };
      return await refusing(importDocument({ ...given, body: bodyOf(document) }));
    } finally {
      await Promise.all(context.sources.all.map((source) => source.close()));
    }
  };
  const importAll: MariadbStage['importAll'] = (document, more) => {
    const given = { context, stage: 'default', view: 'default', strict: false };
    return refusing(importDocument({ ...given, body: bodyOf(document), ...more }));
  };
  return {
    schema,
    connection,
    importAs,
    import: async (document) => (await importAll(document)).counts,
    importAll,
    async export() {
      const parts: Uint8Array[] = [];
      await exportDocument({ ...order, pretty: false, write: (bytes) => void parts.push(bytes) });
      return Buffer.concat(parts).toString('utf8');
    },
    rows: (text) => database.withClient((client) => client.query({ sql: text, rowsAsArray: true })),
    sql: (text) => database.withClient((client) => client.query(text)),
    async close() {
      await Promise.all(order.sources.all.map((source) => source.close()));
      await database.drop();
    },
  };
}

async function* bodyOf(document: unknown): AsyncGenerator<Uint8Array> {
  yield Buffer.from(typeof document === 'string' ? document : JSON.stringify(document));
}
