/** Runs the server of a cluster: starts it, waits until it takes connections, stops it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { type ClusterOrder, clusterOf } from './cluster.js';
import { EmbeddedError } from './embedded-error.js';
import { SERVER_ENVIRONMENT } from './server-environment.js';
import { openServerLog, type ServerLog } from './server-log.js';
import { type ServerChoice, settingWords } from './server-settings.js';
import { makeSocketDirectory, SOCKET_PORT } from './socket-directory.js';
import { STOP_TIMEOUT_MS, watchdogCommand } from './watchdog.js';

/** Recovery after a crash replays up to a gigabyte of write-ahead log first. */
const START_TIMEOUT_MS = 120_000;
const READY = 'database system is ready to accept connections';

/** What to run, and how safely. */
export interface ServerOrder extends ClusterOrder, ServerChoice {
  /** The folder of its socket, which is made; undefined: a new one. */
  readonly socketDirectory?: string;
}

/** A server that takes connections. */
export interface RunningServer {
  readonly socketDirectory: string;
  /** Resolves when it has ended, stopped or not, with the end of its log. */
  readonly ended: Promise<string>;
  /** Ends sessions and stops the server; throws `stop-failed` when that takes too long. */
  stop(): Promise<void>;
}

/** Starts the server; throws `start-failed` with the end of its log when it does not come up. */
export async function runServer(order: ServerOrder): Promise<RunningServer> {
  const log = openServerLog(join(order.dataDirectory, 'server.log'));
  const socketDirectory = makeSocketDirectory(order.account, order.socketDirectory);
  const child = spawnServer(order, socketDirectory);
  // The watchdog removes it too, but not where only we may.
  const removeSocket = () => rmSync(socketDirectory, { recursive: true, force: true });
  try {
    await becomesReady(child, log);
  } catch (error) {
    if (child.pid !== undefined) await stopServer(child, log);
    removeSocket();
    throw error;
  }
  letGo(child);
  const ended = new Promise<string>((resolve) => {
    if (hasEnded(child)) resolve(log.tail());
    child.once('exit', () => resolve(log.tail()));
  });
  return { socketDirectory, ended, stop: () => stopServer(child, log).finally(removeSocket) };
}

function spawnServer(order: ServerOrder, socketDirectory: string): ChildProcess {
  const settings = settingWords(order, socketDirectory);
  const cluster = clusterOf(order.dataDirectory);
  const port = ['-p', String(order.tcpPort ?? SOCKET_PORT)];
  const server = [order.binaries.postgres, '-D', cluster, ...port, ...settings];
  const [program, words] = watchdogCommand(socketDirectory, server);
  return spawn(program, words, {
    ...order.account,
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    stdio: ['pipe', 'ignore', 'pipe'],
    // A process group of its own: Ctrl-C in a terminal is for us, who then stop the server.
    detached: true,
  });
}

/** The server says that it is ready in its log, in English whatever the locale (LC_ALL=C). */
function becomesReady(child: ChildProcess, log: ServerLog): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: Error) => {
      clearTimeout(timer);
      const message = `The embedded PostgreSQL did not start: ${reason}\n${log.tail()}`.trim();
      reject(new EmbeddedError('start-failed', message, { cause }));
    };
    const timer = setTimeout(
      () => fail(`not ready after ${START_TIMEOUT_MS} ms.`),
      START_TIMEOUT_MS,
    );
    child.once('error', (error) => fail(error.message, error));
    // `close` comes after the last words of the log, `exit` may come before.
    child.once('close', (status, signal) => fail(`it ended (${signal ?? `status ${status}`}).`));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log.write(text);
      if (!log.tail().includes(READY)) return;
      clearTimeout(timer);
      resolve();
    });
    // Writing to a server that has ended is no further news.
    child.stdin?.on('error', () => {});
  });
}

/** A program that forgets to stop may end all the same: the watchdog sees to the rest. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stderr]) {
    if (stream instanceof Socket) stream.unref();
  }
}

function stopServer(child: ChildProcess, log: ServerLog): Promise<void> {
  if (hasEnded(child)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const message = `The embedded PostgreSQL does not stop.\n${log.tail()}`;
      reject(new EmbeddedError('stop-failed', message));
    }, STOP_TIMEOUT_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.stdin?.end();
  });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
