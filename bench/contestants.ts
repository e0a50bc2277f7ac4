/** The servers that take part: how each is started, and when it is ready. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ContestantName } from './cases/case.js';
import type { DatabaseConnection } from './database.js';
import { freePort } from './free-port.js';
import { peerServer, postgraphileNode } from './peers.js';
import { type ProcessOrder, type RunningProcess, startProcess } from './run-process.js';
import { sampleSchema } from './sample-schema.js';

const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 5;

export interface Contestant {
  readonly name: ContestantName;
  readonly url: string;
  readonly process: RunningProcess;
}

export interface ContestantSettings {
  readonly connection: DatabaseConnection;
  /** Further words for `rowgate serve`. */
  readonly rowgateWords: readonly string[];
  readonly profileDirectory?: string | undefined;
  /** What the constant server answers with. */
  readonly constant?: string;
  /** The command line of another commit. */
  readonly before?: string | undefined;
}

/** The path of Rowgate's command line. */
export const rowgateProgram = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Starts a contestant and waits until it is ready; throws with its last words when it is not. */
export async function startContestant(
  name: ContestantName,
  settings: ContestantSettings,
): Promise<Contestant> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await startProcess(orders[name](settings, String(port)));
  await becomeReady(url, running);
  return { name, url, process: running };
}

/** Waits until `/readyz` answers 200, or throws and ends the process. */
export async function becomeReady(url: string, running: RunningProcess): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < deadline && !running.hasEnded) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await sleep(POLL_MS);
  }
  await running.stop();
  throw new Error(`The server at ${url} did not become ready:\n${running.tail()}`);
}

/** The environment in which Rowgate serves this database. */
export function rowgateEnvironment(connection: DatabaseConnection): Record<string, string> {
  return { DATABASE_URL: JSON.stringify(connection) };
}

type MakeOrder = (settings: ContestantSettings, port: string) => ProcessOrder;

const orders = {
  rowgate: ({ profileDirectory, ...settings }, port) =>
    serve([...profileWords(profileDirectory), rowgateProgram], settings, port),
  before: (settings, port) => serve([settings.before ?? ''], settings, port),
  'fastify-pg': ({ connection }, port) => ({
    program: process.execPath,
    words: [pathOf('./servers/fastify-pg.js'), JSON.stringify(connection), port],
    environment: { NODE_ENV: 'production' },
  }),
  'fastify-mariadb': ({ connection }, port) => ({
    program: process.execPath,
    words: [pathOf('./servers/fastify-mariadb.js'), JSON.stringify(connection), port],
    // The connector reads times as those of its own time zone.
    environment: { NODE_ENV: 'production', TZ: 'UTC' },
  }),
  'pg-cursor': ({ connection }, port) => ({
    program: process.execPath,
    words: [pathOf('./servers/pg-cursor.js'), JSON.stringify(connection), port],
    environment: { NODE_ENV: 'production' },
  }),
  'uws-constant': ({ constant = '[]' }, port) => ({
    program: process.execPath,
    words: [pathOf('./servers/uws-constant.js'), port, constant],
  }),
  'bare-lanes': ({ connection }, port) => ({
    program: process.execPath,
    words: [pathOf('./servers/bare-lanes.js'), JSON.stringify(connection), port],
  }),
  'lambdaorm-express': ({ connection }, port) => ({
    program: process.execPath,
    words: [peerServer('lambdaorm-express'), sampleSchema('PostgreSQL', connection), port],
    // It reads dates as those of its own time zone.
    environment: { NODE_ENV: 'production', TZ: 'UTC' },
  }),
  postgraphile: ({ connection }, port) => ({
    program: postgraphileNode(),
    words: [peerServer('postgraphile'), JSON.stringify(connection), port],
    environment: { NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
  }),
} satisfies Record<ContestantName, MakeOrder>;

function serve(
  program: readonly string[],
  { connection, rowgateWords }: ContestantSettings,
  port: string,
): ProcessOrder {
  return {
    program: process.execPath,
    words: [...program, 'serve', '--port', port, ...rowgateWords],
    environment: rowgateEnvironment(connection),
  };
}

/** A profile of every thread, written when the process ends. */
function profileWords(directory: string | undefined): readonly string[] {
  return directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`];
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
