/** The database of a run, which is deleted at the end of the run. */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../dist/embedded/start-embedded.js';
import { freePort } from './free-port.js';
import { parentOf } from './measure/process-table.js';
import { pushTables, rowgateEnvironment } from './rowgate-program.js';
import { ORDERS, PRODUCTS, type RowCounts, rowStatements } from './rows.js';

/** A connection, as accepted by pg and, as JSON, by Rowgate's DATABASE_URL. */
export interface DatabaseConnection {
  /** A host, or the folder of a UNIX socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

export type Dialect = 'PostgreSQL' | 'MariaDB';

export interface BenchDatabase {
  readonly dialect: Dialect;
  readonly connection: DatabaseConnection;
  /** The options with which `rowgate serve` serves it. */
  readonly rowgateWords: readonly string[];
  readonly socket: 'unix socket' | 'TCP';
  readonly version: string;
  /** The pid of the server, if it runs on this machine. */
  readonly postmaster: number | undefined;
  stop(): Promise<void>;
}

/** How clients connect to the embedded server. */
export type SocketKind = 'tcp' | 'unix';

/**
 * Starts an embedded server, or creates a database on the server at `url`. Rowgate creates the
 * tables, and the bench inserts the rows.
 */
export async function openDatabase(
  url: string | undefined,
  socket: SocketKind,
): Promise<BenchDatabase> {
  const opened = url === undefined ? await startServer(socket) : await createDatabase(url);
  try {
    await fill(opened.connection, { products: PRODUCTS, orders: ORDERS });
    return { ...opened, ...(await describe(opened.connection)) };
  } catch (error) {
    await opened.stop();
    throw error;
  }
}

/** A separate database on the same server, for some of the cases. */
export interface DatabaseBeside {
  readonly connection: DatabaseConnection;
  drop(): Promise<void>;
}

/**
 * Creates the database with these numbers of rows; `first` are statements to run before the
 * inserts.
 */
export async function makeDatabaseBeside(
  beside: DatabaseConnection,
  suffix: string,
  counts: RowCounts,
  first: readonly string[] = [],
): Promise<DatabaseBeside> {
  const database = `${beside.database}_${suffix}`;
  await withClient(beside, (client) => client.query(`CREATE DATABASE ${database}`));
  const drop = async () => {
    const statement = `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`;
    await withClient(beside, (client) => client.query(statement));
  };
  const connection = { ...beside, database };
  try {
    await fill(connection, counts, first);
    return { connection, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

async function fill(
  connection: DatabaseConnection,
  counts: RowCounts,
  first: readonly string[] = [],
): Promise<void> {
  await pushTables(rowgateEnvironment(connection));
  await withClient(connection, async (client) => {
    for (const statement of [...first, ...rowStatements('PostgreSQL', counts)]) {
      await client.query(statement);
    }
  });
}

/** Runs `work` with a client that is closed afterwards. */
export async function withClient<Result>(
  connection: DatabaseConnection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Creates a temporary folder that every user can enter, because PostgreSQL runs as another user if
 * this process runs as root. The folder is removed when the process ends.
 */
export function makeTemporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'rowgate-bench-'));
  chmodSync(directory, 0o755);
  temporary.push(directory);
  return directory;
}

const temporary: string[] = [];
process.once('exit', () => {
  for (const each of temporary) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
});

async function startServer(socket: SocketKind) {
  const directory = makeTemporaryDirectory();
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    const { connection, stop } = await startEmbedded({
      dataDirectory: directory,
      durability: 'disposable',
      ...(socket === 'tcp' && { tcpPort: await freePort() }),
    });
    return { connection, stop: () => stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

async function createDatabase(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url);
  const server = {
    host: hostname === '' ? '127.0.0.1' : hostname,
    port: port === '' ? 5432 : Number(port),
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)) || 'postgres',
    ...(password !== '' && { password: decodeURIComponent(password) }),
  };
  const database = `rowgate_bench_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  await withClient(server, (client) => client.query(`CREATE DATABASE ${database}`));
  const drop = `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`;
  const stop = () => withClient(server, (client) => client.query(drop)).then(() => undefined);
  return { connection: { ...server, database }, stop };
}

async function describe(connection: DatabaseConnection) {
  const { rows } = await withClient(connection, (client) =>
    client.query<{ version: string; pid: number }>(
      `SELECT current_setting('server_version') AS version, pid
       FROM pg_stat_activity WHERE backend_type = 'checkpointer'`,
    ),
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The database does not report its version.');
  const socket = connection.host.startsWith('/') ? 'unix socket' : 'TCP';
  const postmaster = parentOf(row.pid);
  const rowgateWords: readonly string[] = [];
  return { dialect: 'PostgreSQL', rowgateWords, version: row.version, socket, postmaster } as const;
}
