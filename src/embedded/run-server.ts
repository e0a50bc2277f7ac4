/** Runs the server of a cluster: starts it, waits until it accepts connections, and stops it. */
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

/** After a crash, recovery first replays up to a gigabyte of the write-ahead log. */
const START_TIMEOUT_MS = 120_000;
const READY = 'database system is ready to accept connections';

/** What to run, and how durably. */
export interface ServerOrder extends ClusterOrder, ServerChoice {
  /** The folder for its socket, which is created; undefined for a new one. */
  readonly socketDirectory?: string;
}

/** A server that accepts connections. */
export interface RunningServer {
  readonly socketDirectory: string;
  /** Resolves with the end of its log when the server has ended, whether it was stopped or not. */
  readonly ended: Promise<string>;
  /** Ends all sessions and stops the server. Throws `stop-failed` if that takes too long. */
  stop(): Promise<void>;
}

/** Throws `start-failed` with the end of the log if no connections are accepted in time. */
export async function runServer(order: ServerOrder): Promise<RunningServer> {
  const log = openServerLog(join(order.dataDirectory, 'server.log'));
  const socketDirectory = makeSocketDirectory(order.account, order.socketDirectory);
  const child = spawnServer(order, socketDirectory);
  // The watchdog removes it too, but may lack the permission.
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
    // A separate process group: Ctrl-C in a terminal must reach only us, and then we stop the
    // server.
    detached: true,
  });
}

/** Resolves when the server's log says that it is ready. With LC_ALL=C, the log is in English. */
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
    // `close` comes after the end of the log; `exit` may come before it.
    child.once('close', (status, signal) => fail(`it ended (${signal ?? `status ${status}`}).`));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log.write(text);
      if (!log.tail().includes(READY)) return;
      clearTimeout(timer);
      resolve();
    });
    // The error of writing to a server that has ended contains nothing new.
    child.stdin?.on('error', () => {});
  });
}

/** Lets this process end even if it forgets to stop the server, which the watchdog then does. */
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
