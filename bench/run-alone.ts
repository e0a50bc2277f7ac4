/** One connection, one request at a time: latency of Rowgate beside pg and the constant server. */
import type { BenchContext } from './bench-context.js';
import type { BenchCase } from './cases/case.js';
import { checkContestant } from './cases/ask-server.js';
import { type Contestant, startContestant } from './contestants.js';
import type { LoadResult } from './load/load.js';
import { type PgAlone, startPgAlone } from './load/pg-alone.js';
import type { Sample } from './measure/figure.js';
import { watchParts } from './measure/parts.js';
import { PRODUCTS } from './rows.js';
import { warmUp } from './warm-up.js';

const CONTESTANTS = ['rowgate', 'fastify-pg', 'uws-constant'] as const;

export async function runAlone(
  context: BenchContext,
  pointCase: BenchCase,
): Promise<readonly Sample[]> {
  const { options, database, constant, say } = context;
  const { rowgateWords } = options;
  const settings = { rowgateWords, profileDirectory: undefined, constant };
  const contestants: Contestant[] = [];
  const { connection } = database;
  const pg = startPgAlone({ connection, statement: context.pointStatement, idMax: PRODUCTS });
  try {
    for (const name of CONTESTANTS) {
      const started = await startContestant(name, { connection, ...settings });
      contestants.push(started);
      await checkContestant(pointCase, started);
    }
    const turns = contestants.map((contestant) => ({
      run: (seconds: number) => putUnderLoad(context, pointCase, contestant, seconds),
    }));
    await warmUp([...turns, pg], options.warmupSeconds);
    const samples: Sample[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      for (const contestant of contestants) samples.push(await ask(context, pointCase, contestant));
      samples.push(await askDatabase(context, pg));
      say(`alone ${round}: ${samples.slice(-4).map(tell).join(', ')}`);
    }
    return samples;
  } finally {
    await Promise.all([pg.stop(), ...contestants.map(({ process }) => process.stop())]);
  }
}

function tell({ participant, load }: Sample): string {
  return `${participant} p50 ${Math.round(load.p50Us ?? 0)} µs`;
}

async function ask(
  context: BenchContext,
  pointCase: BenchCase,
  contestant: Contestant,
): Promise<Sample> {
  const { options, database, workers } = context;
  const { name, process } = contestant;
  const { seconds } = options;
  const { postmaster } = database;
  const workersHere = name === 'rowgate' ? workers : 0;
  const parts = await watchParts({ serverPid: process.pid, workers: workersHere, postmaster });
  const load = await putUnderLoad(context, pointCase, contestant, seconds);
  const count = load.requestsPerSecond * seconds;
  const spent = parts(count, load.processorUs);
  return {
    case: 'alone',
    dialect: database.dialect,
    participant: name,
    connections: 1,
    load,
    parts: spent,
  };
}

function putUnderLoad(
  { runLoad, directory }: BenchContext,
  { requests }: BenchCase,
  { url }: Contestant,
  seconds: number,
): Promise<LoadResult> {
  return runLoad({ url, requests, connections: 1, seconds, directory });
}

async function askDatabase({ options, database }: BenchContext, pg: PgAlone): Promise<Sample> {
  const { seconds } = options;
  const { postmaster } = database;
  const parts = await watchParts({ serverPid: undefined, workers: 0, postmaster });
  const load = await pg.run(seconds);
  const spent = parts(load.requestsPerSecond * seconds, load.processorUs);
  return {
    case: 'alone',
    dialect: database.dialect,
    participant: 'pg',
    connections: 1,
    load,
    parts: spent,
  };
}
