/** One connection, one request at a time: latency of Rowgate beside pg and the constant server. */
import type { BenchContext } from './bench-context.js';
import type { BenchCase } from './cases/case.js';
import { checkAnswers } from './cases/check-answers.js';
import { type Contestant, startContestant } from './contestants.js';
import { runPgAlone } from './load/pg-alone.js';
import type { Sample } from './measure/figure.js';
import { watchParts } from './measure/parts.js';
import { PRODUCTS } from './rows.js';

const CONTESTANTS = ['rowgate', 'fastify-pg', 'uws-constant'] as const;

export async function runAlone(
  context: BenchContext,
  pointCase: BenchCase,
): Promise<readonly Sample[]> {
  const { options, database, constant, say } = context;
  const { rowgateWords } = options;
  const settings = { rowgateWords, profileDirectory: undefined, constant };
  const contestants: Contestant[] = [];
  try {
    for (const name of CONTESTANTS) {
      const started = await startContestant(name, { connection: database.connection, ...settings });
      contestants.push(started);
      if (name !== 'uws-constant') await checkAnswers(started.url, pointCase, name);
    }
    for (const contestant of contestants) await ask(context, pointCase, contestant);
    const samples: Sample[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      for (const contestant of contestants) samples.push(await ask(context, pointCase, contestant));
      samples.push(await askDatabase(context));
      say(`alone ${round}: ${samples.slice(-4).map(tell).join(', ')}`);
    }
    return samples;
  } finally {
    await Promise.all(contestants.map(({ process }) => process.stop()));
  }
}

function tell({ participant, load }: Sample): string {
  return `${participant} p50 ${Math.round(load.p50Us ?? 0)} µs`;
}

async function ask(
  { runLoad, options, directory, database, workers }: BenchContext,
  { requests }: BenchCase,
  { name, url, process }: Contestant,
): Promise<Sample> {
  const { seconds } = options;
  const { postmaster } = database;
  const workersHere = name === 'rowgate' ? workers : 0;
  const parts = watchParts({ serverPid: process.pid, workers: workersHere, postmaster });
  const load = await runLoad({ url, requests, connections: 1, seconds, directory });
  const count = load.requestsPerSecond * seconds;
  const spent = parts(count, load.processorUs);
  return { case: 'alone', participant: name, connections: 1, load, parts: spent };
}

async function askDatabase(context: BenchContext): Promise<Sample> {
  const { options, database, pointStatement: statement } = context;
  const { seconds } = options;
  const { connection, postmaster } = database;
  const parts = watchParts({ serverPid: undefined, workers: 0, postmaster });
  const load = await runPgAlone({ connection, statement, idMax: PRODUCTS, seconds });
  const spent = parts(load.requestsPerSecond * seconds, load.processorUs);
  return { case: 'alone', participant: 'pg', connections: 1, load, parts: spent };
}
