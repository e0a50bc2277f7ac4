/**
 * MariaDB for tests: databases on the server of the run (see `global-setup.ts`). If there is none,
 * suites are skipped, and their names say why.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import mariadb, { type Connection } from 'mariadb';
import { describe, inject } from 'vitest';
import { findProgram } from './find-program.js';
import { freePort } from './free-port.js';
import { mariadbDialect } from './mariadb-dialect.js';
import { makeMemoryDirectory } from './memory-directory.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The MariaDB server of the run, or why there is none. */
    mariadb: MariadbServer | string;
  }
}

/** How to connect to a server. */
export interface MariadbServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** A database for one test. */
export interface MariadbDatabase {
  readonly connection: MariadbServer & { readonly database: string };
  /** A connection with the settings of the server; `withClient` closes it. */
  withClient<Result>(work: (client: Connection) => Promise<Result>): Promise<Result>;
  drop(): Promise<void>;
}

const START_MS = 60_000;
const POLL_MS = 25;
const NOBODY = 65_534;
/** The kernel's asynchronous I/O requests are limited and shared by all processes. */
const NO_AIO = '--innodb-use-native-aio=0';
/** Where distributions install the library. */
const GALERA = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];
/**
 * Stops the server and removes its folder when its standard input ends, however this process died. A
 * line `start` starts the server again, and any other line is a signal that ends it.
 */
const WATCHDOG = [
  'directory=$1; shift; exec 3<&0 </dev/null; "$@" 3<&- & server=$!',
  'while read -r line <&3; do',
  '  if [ "$line" = start ]; then "$@" 3<&- & server=$!; else kill -$line $server; wait $server; fi',
  'done',
  'kill -9 $server; wait $server; rm -rf "$directory"',
].join('\n');

/**
 * The server of a run: the one in `ROWGATE_TEST_MARIADB_URL`, or a private one. If neither is
 * available, returns the reason.
 */
export async function startMariadbOfRun(): Promise<{
  readonly server: MariadbServer | string;
  stop(): Promise<void>;
}> {
  const stop = () => Promise.resolve();
  const url = process.env['ROWGATE_TEST_MARIADB_URL'];
  if (url !== undefined) return { server: serverOf(url), stop };
  const program = findProgram('mariadbd');
  if (program === undefined || findProgram('mariadb-install-db') === undefined) {
    const server = 'mariadbd is not installed, and ROWGATE_TEST_MARIADB_URL names no server';
    return { server, stop };
  }
  return startMariadb(program);
}

/** The server of the run. */
function mariadbServer(): MariadbServer {
  const server = inject('mariadb');
  if (typeof server === 'string') throw new Error(server);
  return server;
}

/** Declares a suite on MariaDB. If there is no server, the suite is skipped, and its name says why. */
export function describeMariadb(name: string, suite: () => void): void {
  const server = inject('mariadb');
  const missing = typeof server === 'string' ? `: ${server}` : '';
  describe.runIf(missing === '')(`${name} on MariaDB${missing}`, () => {
    suite();
  });
}

/** Creates a database that compares strings exactly. */
export async function createMariadbDatabase(
  server: MariadbServer = mariadbServer(),
  collation = mariadbDialect === 'MySQL' ? 'utf8mb4_0900_bin' : 'utf8mb4_nopad_bin',
): Promise<MariadbDatabase> {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const connection = { ...server, database };
  await withClient(server, (client) =>
    client.query(`CREATE DATABASE ${database} CHARACTER SET utf8mb4 COLLATE ${collation}`),
  );
  return {
    connection,
    withClient: (work) => withClient(connection, work),
    drop: async () => {
      await withClient(server, (client) => client.query(`DROP DATABASE IF EXISTS ${database}`));
    },
  };
}

/** The default of one second is too short for a busy machine. */
const CONNECT_MS = 20_000;

async function withClient<Result>(
  server: MariadbServer & { readonly database?: string },
  work: (client: Connection) => Promise<Result>,
): Promise<Result> {
  const options = { multipleStatements: true, initSql: "SET time_zone = '+00:00'" };
  const usual = { dateStrings: true, connectTimeout: CONNECT_MS };
  const client = await mariadb.createConnection({ ...server, ...usual, ...options });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Declares a suite on a node of a Galera cluster, which is a separate server. */
export function describeGalera(
  name: string,
  suite: (startNode: () => ReturnType<typeof startMariadb>) => void,
): void {
  const program = findProgram('mariadbd');
  const library = GALERA.find(existsSync);
  const missing = program && library ? '' : ': mariadbd or its library for Galera is not installed';
  describe.runIf(missing === '')(`${name} on Galera${missing}`, () => {
    suite(() =>
      startMariadb(program ?? '', [
        '--wsrep-on=1',
        `--wsrep-provider=${library}`,
        '--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:0',
        '--wsrep-cluster-address=gcomm://',
        '--wsrep-node-address=127.0.0.1',
        '--binlog-format=ROW',
        '--innodb-autoinc-lock-mode=2',
      ]),
    );
  });
}

/** Declares a suite on a separate server, which is started with additional options. */
export function describeOwnMariadb(
  name: string,
  suite: (start: (options: readonly string[]) => ReturnType<typeof startMariadb>) => void,
): void {
  const program = findProgram('mariadbd');
  const missing = program === undefined ? ': mariadbd is not installed' : '';
  describe.runIf(program !== undefined)(`${name} on MariaDB${missing}`, () => {
    suite((options) => startMariadb(program ?? '', options));
  });
}

/**
 * Starts a server in a separate folder; `stop` deletes the folder. `restart` ends the server with a
 * signal, and starts it again some time later.
 */
async function startMariadb(program: string, options: readonly string[] = []) {
  const directory = makeMemoryDirectory('rowgate-mariadb-');
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  try {
    const user = process.getuid?.() === 0 ? ['--user=nobody'] : [];
    if (user.length > 0) chownSync(directory, NOBODY, NOBODY);
    const data = join(directory, 'data');
    const temporary = join(directory, 'tmp');
    makeFolder(data, user);
    makeFolder(temporary, user);
    await install(data, temporary, user);
    const port = await freePort();
    const all = [...serverOptions(directory, data, port, user), ...options];
    const child = spawnServer(directory, program, all);
    const server = { host: '127.0.0.1', port, user: 'root', password: '' };
    await untilReady(child, server);
    const stop = async (): Promise<void> => {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
      remove();
    };
    const restart = async (signal: 'KILL' | 'TERM', downMs: number): Promise<void> => {
      child.stdin?.write(`${signal}\n`);
      await delay(downMs);
      child.stdin?.write('start\n');
      await untilReady(child, server);
    };
    return { server, stop, restart };
  } catch (error) {
    remove();
    throw error;
  }
}

function makeFolder(folder: string, user: readonly string[]): void {
  mkdirSync(folder);
  if (user.length > 0) chownSync(folder, NOBODY, NOBODY);
}

/** Servers that start at the same time must not share a folder for temporary tables. */
async function install(data: string, temporary: string, user: readonly string[]): Promise<void> {
  const options = ['--no-defaults', `--datadir=${data}`, ...user, '--skip-test-db'];
  options.push('--auth-root-authentication-method=normal', '--skip-name-resolve');
  options.push('--innodb-log-file-size=4M', '--innodb-undo-tablespaces=0', NO_AIO);
  await promisify(execFile)(findProgram('mariadb-install-db') ?? '', options, {
    env: { ...process.env, TMPDIR: temporary },
  });
}

/** Options for small memory use and no durability. */
function serverOptions(directory: string, data: string, port: number, user: readonly string[]) {
  return [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${join(directory, 'socket')}`,
    `--pid-file=${join(directory, 'pid')}`,
    `--tmpdir=${join(directory, 'tmp')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    NO_AIO,
    '--innodb-buffer-pool-size=64M',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-fast-shutdown=2',
    '--performance-schema=OFF',
    '--max-connections=300',
    '--table-open-cache=400',
    ...user,
  ];
}

function spawnServer(directory: string, program: string, options: readonly string[]): ChildProcess {
  const words = ['-c', WATCHDOG, 'watchdog', directory, program, ...options];
  return spawn('/bin/sh', words, { stdio: ['pipe', 'ignore', 'ignore'] });
}

async function untilReady(child: ChildProcess, server: MariadbServer): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error('mariadbd ended while it started');
    const isReady = await withClient(server, () => Promise.resolve(true)).catch(() => false);
    if (isReady) return;
    if (performance.now() > deadline) throw new Error('mariadbd did not start in time');
    await delay(POLL_MS);
  }
}

function serverOf(url: string): MariadbServer {
  const { hostname, port, username, password } = new URL(url);
  return {
    host: hostname,
    port: Number(port || '3306'),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}
