/** The drivers of the databases. To add one, see ARCHITECTURE.md, "Adding a dialect". */
import { type DialectName, invariant, type Source } from '../../engine/index.js';
import { connectFault } from './connect-fault.js';
import type { Driver } from './source.js';
import type { SourceSettings } from './source-settings.js';
import type { TableConnection } from './table-connection.js';

/** The parts of a source that are needed to reach its tables. */
type TableSource = Pick<Source, 'dialect' | 'connection'>;

/** Creates the driver of a source, which opens its connections. */
export type DriverOf = (source: Source, settings: SourceSettings) => Driver;

/** What one kind of database needs. */
interface DatabaseKind {
  readonly driverOf: DriverOf;
  readonly connectTables: typeof connectTables;
}

const loadMysql = (): Promise<DatabaseKind> => import('./mysql/driver.js');

/** Each kind is loaded when it is needed, because the packages are large. */
const kinds: Record<DialectName, () => Promise<DatabaseKind>> = {
  PostgreSQL: () => withNavigator(() => import('./postgresql/driver.js')),
  MySQL: loadMysql,
  MariaDB: loadMysql,
};

/**
 * From the navigator, pg learns when it is loaded that it runs on Node.js. Node.js 20 has none; pg then creates a
 * Response, and every thread would load an HTTP client for it. Afterwards it is removed, because it would tell other
 * packages that they run in a browser.
 */
async function withNavigator<Module>(load: () => Promise<Module>): Promise<Module> {
  if ('navigator' in globalThis) return load();
  const navigator = { userAgent: `Node.js/${process.versions.node}` };
  Object.assign(globalThis, { navigator });
  try {
    return await load();
  } finally {
    Reflect.deleteProperty(globalThis, 'navigator');
  }
}

/** Loads the drivers that the sources need. The result creates the driver of each. */
export async function loadDrivers(sources: readonly Pick<Source, 'dialect'>[]): Promise<DriverOf> {
  const loading = sources.map(async ({ dialect }) => [dialect, await kinds[dialect]()] as const);
  const loaded = new Map(await Promise.all(loading));
  return (source, settings) => {
    const kind = loaded.get(source.dialect);
    invariant(kind, `the driver for ${source.dialect} is loaded`);
    return kind.driverOf(source, settings);
  };
}

/** The caller closes it. Rejects with the place of a database that cannot be reached, and the reason. */
export async function connectTables(source: TableSource): Promise<TableConnection> {
  const { dialect, connection } = source;
  const kind = await kinds[dialect]();
  try {
    return await kind.connectTables(source);
  } catch (cause) {
    throw connectFault(dialect, connection, cause);
  }
}

const READ_MS = 60_000;

/**
 * Opens a connection for reading tables, and closes it when `work` has settled, when the signal aborts or
 * after a minute, whichever is first. Rejects with the error of the connection or of `work`.
 */
export async function withTables<Result>(
  source: TableSource,
  work: (connection: TableConnection) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const limit = AbortSignal.timeout(READ_MS);
  const over = signal ? AbortSignal.any([signal, limit]) : limit;
  const connection = await connectTables(source);
  const close = () => void connection.close();
  over.addEventListener('abort', close);
  try {
    over.throwIfAborted();
    return await work(connection);
  } catch (cause) {
    if (!limit.aborted) throw cause;
    const seconds = READ_MS / 1000;
    throw new Error(`The tables could not be read within ${seconds} seconds.`, { cause });
  } finally {
    over.removeEventListener('abort', close);
    await connection.close();
  }
}
