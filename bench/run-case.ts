/** Runs one case: starts its contestants, checks their answers, times them in turns, ends them. */
import type { BenchContext } from './bench-context.js';
import { checkContestant } from './cases/ask-server.js';
import type { BenchCase, HttpRequest } from './cases/case.js';
import { toGraphql } from './cases/graphql.js';
import { type Contestant, startContestant } from './contestants.js';
import type { LoadResult } from './load/load.js';
import { PGBENCH_CLIENTS, runPgbench } from './load/pgbench.js';
import type { Participant, Sample } from './measure/figure.js';
import { watchParts } from './measure/parts.js';
import { residentBytes } from './measure/process-table.js';
import { pgbenchScript } from './mixes/pgbench-script.js';
import { isPeer } from './peers.js';
import { warmUp } from './warm-up.js';

/** The memory of Rowgate's process. */
export interface Memory {
  readonly case: BenchCase['name'];
  readonly idleBytes: number | undefined;
  readonly loadedBytes: number | undefined;
}

export interface CaseResult {
  readonly samples: readonly Sample[];
  readonly memory: Memory;
}

/** A participant, and how to put it under load. */
interface Turn {
  readonly participant: Participant;
  readonly connections: number;
  readonly serverPid: number | undefined;
  readonly run: (seconds: number) => Promise<LoadResult>;
}

export async function runCase(context: BenchContext, benchCase: BenchCase): Promise<CaseResult> {
  const contestants: Contestant[] = [];
  try {
    for (const name of benchCase.contestants) {
      if (!takesPart(context, name)) continue;
      contestants.push(await startContestant(name, settingsOf(context)));
    }
    const pid = contestants.find(({ name }) => name === 'rowgate')?.process.pid;
    const idleBytes = pid === undefined ? undefined : residentBytes(pid);
    for (const contestant of contestants) await checkContestant(benchCase, contestant);
    const turns = [
      ...context.options.connections.flatMap((connections) =>
        contestants.map((contestant) => loadTurn(context, benchCase, contestant, connections)),
      ),
      ...(await pgbenchTurns(context, benchCase, contestants)),
    ];
    const samples = await takeTurns(context, benchCase, turns);
    const loadedBytes = pid === undefined ? undefined : residentBytes(pid);
    return { samples, memory: { case: benchCase.name, idleBytes, loadedBytes } };
  } finally {
    await Promise.all(contestants.map(({ process }) => process.stop()));
  }
}

/** Warms everybody up, then lets all take their turns, round after round. */
async function takeTurns(
  context: BenchContext,
  benchCase: BenchCase,
  turns: readonly Turn[],
): Promise<readonly Sample[]> {
  const { options, say } = context;
  await warmUp(turns, options.warmupSeconds);
  const samples: Sample[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const turn of turns) {
      const sample = await takeTurn(context, benchCase, turn);
      samples.push(sample);
      const rate = Math.round(sample.load.requestsPerSecond).toLocaleString('en');
      say(`${benchCase.name} ${round}: ${turn.participant} × ${turn.connections}: ${rate}/s`);
    }
  }
  return samples;
}

async function takeTurn(context: BenchContext, benchCase: BenchCase, turn: Turn): Promise<Sample> {
  const { options, database, workers } = context;
  const { participant, connections, serverPid } = turn;
  const { dialect, postmaster } = database;
  const workersHere = workersOf(participant, workers);
  const parts = await watchParts({ serverPid, workers: workersHere, postmaster });
  const load = await turn.run(options.seconds);
  const requests = load.requestsPerSecond * options.seconds;
  const spent = parts(requests, load.processorUs);
  return { case: benchCase.name, dialect, participant, connections, load, parts: spent };
}

/** How many worker threads a server has: `workers` are Rowgate's. */
function workersOf(participant: Participant, workers: number): number {
  if (participant === 'rowgate' || participant === 'before') return workers;
  return participant === 'bare-lanes' ? 1 : 0;
}

function loadTurn(
  { runLoad, directory }: BenchContext,
  benchCase: BenchCase,
  { name, url, process }: Contestant,
  connections: number,
): Turn {
  const translate = (request: HttpRequest) => toGraphql(benchCase.name, request);
  const { requests: asked } = benchCase;
  const requests = name === 'postgraphile' ? asked.map(translate) : asked;
  const run = (seconds: number) => runLoad({ url, requests, connections, seconds, directory });
  return { participant: name, connections, serverPid: process.pid, run };
}

async function pgbenchTurns(
  context: BenchContext,
  { queries = [], name }: BenchCase,
  contestants: readonly Contestant[],
): Promise<readonly Turn[]> {
  const { pgbench: program, database, directory } = context;
  const rowgate = contestants.find((contestant) => contestant.name === 'rowgate');
  // Its scripts are asked evenly, those of this mix are not.
  const isUneven = name === 'mixed';
  if (program === undefined || rowgate === undefined || isUneven || queries.length === 0) return [];
  if (database.dialect !== 'PostgreSQL' || !takesPart(context, 'pgbench')) return [];
  const { connection } = database;
  const scripts: string[] = [];
  for (const query of queries) scripts.push(await pgbenchScript(rowgate.url, query));
  const run = (seconds: number) => runPgbench({ program, connection, scripts, seconds, directory });
  return [{ participant: 'pgbench', connections: PGBENCH_CLIENTS, serverPid: undefined, run }];
}

function takesPart({ options, before }: BenchContext, name: Participant): boolean {
  if (isPeer(name) && !options.peers) return false;
  if (name === 'before' && before === undefined) return false;
  return options.participants?.includes(name) ?? name !== 'bare-lanes';
}

function settingsOf({ options, database, constant, before }: BenchContext) {
  const { rowgateWords, profileDirectory } = options;
  return { connection: database.connection, rowgateWords, profileDirectory, constant, before };
}
