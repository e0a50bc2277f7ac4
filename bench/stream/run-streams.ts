/**
 * The streaming cases: speed compared with COPY, first byte, memory, and includes compared with
 * pg-cursor.
 */
import type { BenchContext } from '../bench-context.js';
import { ask } from '../cases/ask-server.js';
import { type ContestantName, queryRequest } from '../cases/case.js';
import { type Contestant, withContestants } from '../contestants.js';
import type { DatabaseConnection } from '../database.js';
import { findProgram } from '../find-program.js';
import { median } from '../measure/statistics.js';
import { selectFrom } from '../mixes/entities.js';
import type { CaseName } from '../options.js';
import { checkRows, checkSame } from './check-streams.js';
import { copyByPsql, readByCurl, type StreamRead } from './read-streams.js';
import { STREAM_ROWS } from './stream-database.js';
import type { StreamFigure } from './stream-target.js';
import { watchMemory } from './watch-memory.js';

const ROUNDS = 5;
const MIB = 1024 * 1024;
const ALL_ORDERS = 'Orders';
const ALL_ORDERS_WITH_DETAILS = 'Orders.include(p=>p.details)';
const ALL_PRODUCTS = 'Products';
const SLOW_CLIENTS = 50;
const SLOW_SECONDS = 15;

interface StreamContext extends BenchContext {
  readonly connection: DatabaseConnection;
  readonly curl: string;
  readonly psql: string;
}

type RunStream = (context: StreamContext) => Promise<readonly StreamFigure[]>;

export type StreamCaseName = Extract<CaseName, 'stream' | `stream-${string}`>;

const runs: Readonly<Record<StreamCaseName, RunStream>> = {
  stream: (context) => withServers(context, ['rowgate'], compareWithCopy),
  'stream-include': (context) => withServers(context, ['rowgate', 'pg-cursor'], compareWithCursor),
  'stream-million': (context) => withServers(context, ['rowgate'], readMillion),
  'stream-slow': (context) => withServers(context, ['rowgate'], readSlowly),
};

/** Whether this is a streaming case. */
export function isStreamCase(name: CaseName): name is StreamCaseName {
  return name in runs;
}

/** Runs a streaming case on its database. */
export async function runStream(
  context: BenchContext,
  name: StreamCaseName,
  connection: DatabaseConnection,
): Promise<readonly StreamFigure[]> {
  const [curl, psql] = [findProgram('curl'), findProgram('psql')];
  if (curl === undefined || psql === undefined) throw new Error('needs curl and psql');
  return runs[name]({ ...context, connection, curl, psql });
}

function withServers(
  context: StreamContext,
  names: readonly ContestantName[],
  measure: (
    context: StreamContext,
    ...servers: readonly Contestant[]
  ) => Promise<readonly StreamFigure[]>,
): Promise<readonly StreamFigure[]> {
  const { connection, options, database } = context;
  // More connections than clients, because each slow reader holds one.
  const rowgateWords = ['--connections', '64', ...options.rowgateWords];
  const itself = {
    ...context,
    options: { ...options, rowgateWords, participants: names },
    database: { ...database, connection },
  };
  return withContestants(itself, names, (servers) => measure(context, ...servers));
}

async function compareWithCopy(context: StreamContext, ...[rowgate]: readonly Contestant[]) {
  if (rowgate === undefined) return [];
  const { curl, psql, connection, say } = context;
  const { url } = rowgate;
  await checkRows(url, ALL_ORDERS, connection, selectFrom('Orders'));
  const plan: { sentence: string } = JSON.parse(await ask(url, queryRequest('/plan', ALL_ORDERS)));
  const { sentence } = plan;
  const asJson = `SELECT row_to_json(rows) FROM (${sentence}) AS rows`;
  const rounds: { read: StreamRead; text: number; json: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const read = await readByCurl({ curl, url, query: ALL_ORDERS });
    const text = await copyByPsql(psql, connection, sentence);
    const json = await copyByPsql(psql, connection, asJson);
    // The first round warms up.
    if (round > 0) rounds.push({ read, text, json });
    const [ours, copied, copiedJson] = [read.seconds, text, json].map((each) => each.toFixed(3));
    say(`stream ${round}: curl ${ours} s, COPY ${copied} s, of row_to_json ${copiedJson} s`);
  }
  const ours = median(rounds.map(({ read }) => read.seconds));
  const text = median(rounds.map((round) => round.text));
  const json = median(rounds.map((round) => round.json));
  const firstByte = median(rounds.map(({ read }) => read.firstByteMs));
  const megabytes = ((rounds[0]?.read.bytes ?? 0) / 1e6).toFixed(0);
  const details = `${ours.toFixed(2)} s for ${megabytes} MB`;
  const what = '200,000 orders: speed beside COPY';
  return [
    figure(`${what} as text`, '×', text / ours, [0.6, 0.4], `${details}; ${text.toFixed(2)} s`),
    figure(`${what} of row_to_json`, '×', json / ours, [1.5, 1.1], `${json.toFixed(2)} s`),
    figure('200,000 orders: first byte', 'ms', firstByte, [10, 50], 'median'),
  ];
}

async function compareWithCursor(context: StreamContext, ...servers: readonly Contestant[]) {
  const [rowgate, cursor] = servers;
  if (rowgate === undefined || cursor === undefined) return [];
  const { curl, say } = context;
  const query = ALL_ORDERS_WITH_DETAILS;
  await checkSame(query, [rowgate.url, cursor.url]);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 1; round <= 3; round += 1) {
    ours.push((await readByCurl({ curl, url: rowgate.url, query })).seconds);
    theirs.push((await readByCurl({ curl, url: cursor.url, query })).seconds);
    const shown = [ours, theirs].map((times) => times.at(-1)?.toFixed(2));
    say(`stream-include ${round}: rowgate ${shown[0]} s, pg-cursor ${shown[1]} s`);
  }
  const [we, they] = [median(ours), median(theirs)];
  const rates = [we, they].map((s) => Math.round(STREAM_ROWS.orders / s).toLocaleString('en'));
  const what = '200,000 orders with 3 details each: speed / pg-cursor';
  return [figure(what, '×', they / we, [4, 2.5], `${rates[0]} orders/s; ${rates[1]} orders/s`)];
}

async function readMillion(context: StreamContext, ...[rowgate]: readonly Contestant[]) {
  if (rowgate === undefined) return [];
  const { curl, say } = context;
  const { url, process } = rowgate;
  await readByCurl({ curl, url, query: `${ALL_PRODUCTS}.page(1,1000)` });
  const memory = watchMemory(process.pid);
  const read = await readByCurl({ curl, url, query: ALL_PRODUCTS });
  const growth = memory.stop() / MIB;
  const details = `${(read.bytes / 1e6).toFixed(0)} MB in ${read.seconds.toFixed(1)} s`;
  say(`stream-million: ${growth.toFixed(0)} MiB more, ${details}`);
  return [figure('1,000,000 rows: memory grows by', 'MiB', growth, [32, 64], details)];
}

async function readSlowly(context: StreamContext, ...[rowgate]: readonly Contestant[]) {
  if (rowgate === undefined) return [];
  const { curl, say } = context;
  const { url, process } = rowgate;
  await readByCurl({ curl, url, query: `${ALL_PRODUCTS}.page(1,1000)` });
  const memory = watchMemory(process.pid);
  const order = { curl, url, query: ALL_PRODUCTS, secondsMax: SLOW_SECONDS };
  const reads = await Promise.all(
    Array.from({ length: SLOW_CLIENTS }, () => readByCurl({ ...order, bytesPerSecond: 1e6 })),
  );
  const growth = memory.stop() / MIB;
  const least = Math.min(...reads.map(({ bytes }) => bytes)) / 1e6;
  if (least < SLOW_SECONDS / 2) throw new Error(`a client got ${least} MB only`);
  const details = `${SLOW_SECONDS} s, ${least.toFixed(0)} MB or more each`;
  say(`stream-slow: ${growth.toFixed(0)} MiB more, ${details}`);
  return [figure('50 clients at 1 MB/s: memory grows by', 'MiB', growth, [64, 128], details)];
}

function figure(
  what: string,
  unit: StreamFigure['unit'],
  measured: number,
  [target, least]: readonly [number, number],
  details: string,
): StreamFigure {
  return { what, unit, measured, target, least, details };
}
