/** The servers that are measured: how each is started, and when it is ready. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BenchContext } from './bench-context.js';
import type { ContestantName } from './cases/case.js';
import { freePort } from './free-port.js';
import type { Participant } from './measure/figure.js';
import { isPeer, peerServer, postgraphileNode } from './peers.js';
import { rowgateEnvironment, rowgateProgram } from './rowgate-program.js';
import { type ProcessOrder, type RunningProcess, startProcess } from './run-process.js';
import { sampleSchema } from './sample-schema.js';

const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 5;

export interface Contestant {
  readonly name: ContestantName;
  readonly url: string;
  readonly process: RunningProcess;
}

/**
 * Starts the named servers that this run includes, on the database of the context, passes them to
 * `work`, and stops them afterwards. If one does not become ready, throws an error with the end of
 * its output.
 */
export async function withContestants<Result>(
  context: BenchContext,
  names: readonly ContestantName[],
  work: (contestants: readonly Contestant[]) => Promise<Result>,
): Promise<Result> {
  const contestants: Contestant[] = [];
  try {
    for (const name of names) {
      if (takesPart(context, name)) contestants.push(await startContestant(context, name));
    }
    return await work(contestants);
  } finally {
    await Promise.all(contestants.map(({ process }) => process.stop()));
  }
}

/** The same for Rowgate alone. */
export async function withRowgate<Result>(
  context: BenchContext,
  work: (rowgate: Contestant) => Promise<Result>,
): Promise<Result> {
  const rowgate = await startContestant(context, 'rowgate');
  try {
    return await work(rowgate);
  } finally {
    await rowgate.process.stop();
  }
}

/** Whether the run includes a server: by name, or by default. */
export function takesPart({ options, before }: BenchContext, name: Participant): boolean {
  if (isPeer(name) && !options.peers) return false;
  if (name === 'before' && before === undefined) return false;
  return options.participants?.includes(name) ?? name !== 'bare-batcher';
}

async function startContestant(context: BenchContext, name: ContestantName): Promise<Contestant> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await startProcess(orders[name](context, String(port)));
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

type MakeOrder = (context: BenchContext, port: string) => ProcessOrder;

const orders = {
  rowgate: (context, port) =>
    serve([...profileWords(context.options.profileDirectory), rowgateProgram], context, port),
  before: (context, port) => serve([context.before ?? ''], context, port),
  'fastify-pg': onDatabase('./servers/fastify-pg.js'),
  'fastify-mariadb': onDatabase('./servers/fastify-mariadb.js'),
  'pg-cursor': onDatabase('./servers/pg-cursor.js'),
  'bare-batcher': onDatabase('./servers/bare-batcher.js'),
  'uws-constant': (_context, port) => ({
    program: process.execPath,
    words: [pathOf('./servers/uws-constant.js'), port],
  }),
  'lambdaorm-express': ({ database: { connection } }, port) => ({
    program: process.execPath,
    words: [peerServer('lambdaorm-express'), sampleSchema('PostgreSQL', connection), port],
    // It interprets dates in its own time zone.
    environment: { NODE_ENV: 'production', TZ: 'UTC' },
  }),
  postgraphile: ({ database: { connection } }, port) => ({
    program: postgraphileNode(),
    words: [peerServer('postgraphile'), JSON.stringify(connection), port],
    environment: { NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
  }),
} satisfies Record<ContestantName, MakeOrder>;

function serve(
  program: readonly string[],
  { database, options }: BenchContext,
  port: string,
): ProcessOrder {
  const words = [...program, 'serve', '--port', port];
  return {
    program: process.execPath,
    words: [...words, ...database.rowgateWords, ...options.rowgateWords],
    environment: rowgateEnvironment(database.connection),
  };
}

/** A server of the bench; the connectors interpret times in the time zone of the process. */
function onDatabase(script: string): MakeOrder {
  return ({ database }, port) => ({
    program: process.execPath,
    words: [pathOf(script), JSON.stringify(database.connection), port],
    environment: { NODE_ENV: 'production', TZ: 'UTC' },
  });
}

/** Flags for a profile of every thread, written when the process ends. */
function profileWords(directory: string | undefined): readonly string[] {
  return directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`];
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
