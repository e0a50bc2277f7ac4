/** Short reads by themselves, and with large ones among them: what large answers cost the others. */
import type { BenchContext } from './bench-context.js';
import type { BenchCase } from './cases/case.js';
import { ask, checkContestant } from './cases/ask-server.js';
import { queryRequest } from './cases/case.js';
import { type Contestant, startContestant } from './contestants.js';
import type { LoadResult } from './load/load.js';
import { runShortAndLarge } from './load/short-and-large.js';
import type { Sample } from './measure/figure.js';
import { watchParts } from './measure/parts.js';
import { PRODUCTS } from './rows.js';
import { warmUp } from './warm-up.js';

const CONNECTIONS = 64;
const LARGE_PERCENT = 5;
const SHORT_BODIES = 200;
const large = queryRequest('/execute', 'Products');

export async function runLarge(context: BenchContext, pointCase: BenchCase): Promise<Sample[]> {
  const { options, database, constant, say } = context;
  const { rowgateWords, profileDirectory } = options;
  const { connection } = database;
  const settings = { connection, rowgateWords, profileDirectory, constant };
  const rowgate = await startContestant('rowgate', settings);
  try {
    await checkContestant(pointCase, rowgate);
    const rows: unknown = JSON.parse(await ask(rowgate.url, large));
    if (!Array.isArray(rows) || rows.length !== PRODUCTS) {
      throw new Error(`The large read does not answer with ${PRODUCTS} rows.`);
    }
    const turns = [0, LARGE_PERCENT].map((percent) => ({
      run: (seconds: number) => putUnderLoad(pointCase, rowgate, percent, seconds),
    }));
    await warmUp(turns, options.warmupSeconds);
    const samples: Sample[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      const short = await measure(context, pointCase, rowgate, 0);
      const mixed = await measure(context, pointCase, rowgate, LARGE_PERCENT);
      samples.push(short, mixed);
      say(
        `large ${round}: p99 ${short.load.p99Us} µs by themselves, ${mixed.load.p99Us} µs among large ones`,
      );
    }
    return samples;
  } finally {
    await rowgate.process.stop();
  }
}

async function measure(
  { options, database, workers }: BenchContext,
  pointCase: BenchCase,
  rowgate: Contestant,
  largePercent: number,
): Promise<Sample> {
  const { seconds } = options;
  const { pid: serverPid } = rowgate.process;
  const parts = await watchParts({ serverPid, workers, postmaster: database.postmaster });
  const load = await putUnderLoad(pointCase, rowgate, largePercent, seconds);
  return {
    dialect: database.dialect,
    case: largePercent === 0 ? 'large-short' : 'large',
    participant: 'rowgate',
    connections: CONNECTIONS,
    load,
    parts: parts(load.requestsPerSecond * seconds, load.processorUs),
  };
}

function putUnderLoad(
  { requests }: BenchCase,
  { url }: Contestant,
  largePercent: number,
  seconds: number,
): Promise<LoadResult> {
  return runShortAndLarge({
    url,
    connections: CONNECTIONS,
    seconds,
    seed: 5,
    largePercent,
    largeBody: large.body,
    shortBodies: requests.slice(0, SHORT_BODIES).map(({ body }) => body),
  });
}
