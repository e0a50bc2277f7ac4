/** Runs one case: starts its contestants, checks their answers, times them in turns, ends them. */
import type { BenchCase } from './cases/case.js';
import { checkAnswers } from './cases/check-answers.js';
import { inGraphql } from './cases/graphql.js';
import type { BenchContext } from './bench-context.js';
import { type Contestant, startContestant } from './contestants.js';
import type { LoadResult } from './load/load.js';
import { runPgbench } from './load/pgbench.js';
import type { Participant, Sample } from './measure/figure.js';
import { watchParts } from './measure/parts.js';
import { residentBytes } from './measure/process-table.js';
import { isPeer } from './peers.js';
import { PRODUCTS } from './rows.js';
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

const PGBENCH_CLIENTS = 16;

export async function runCase(context: BenchContext, benchCase: BenchCase): Promise<CaseResult> {
  const contestants: Contestant[] = [];
  try {
    for (const name of benchCase.contestants) {
      if (!takesPart(context, name)) continue;
      contestants.push(await startContestant(name, settingsOf(context)));
    }
    const pid = contestants.find(({ name }) => name === 'rowgate')?.process.pid;
    const idleBytes = pid === undefined ? undefined : residentBytes(pid);
    for (const { name, url } of contestants) {
      if (!isConstant(name, benchCase)) await checkAnswers(url, askedOf(name, benchCase), name);
    }
    const samples = await runRounds(context, benchCase, contestants);
    const loadedBytes = pid === undefined ? undefined : residentBytes(pid);
    return { samples, memory: { case: benchCase.name, idleBytes, loadedBytes } };
  } finally {
    await Promise.all(contestants.map(({ process }) => process.stop()));
  }
}

/** Warms everybody up, then lets all take their turns, round after round. */
async function runRounds(
  context: BenchContext,
  benchCase: BenchCase,
  contestants: readonly Contestant[],
): Promise<readonly Sample[]> {
  const { options, say } = context;
  const turns = [
    ...options.connections.flatMap((connections) =>
      contestants.map((contestant) => loadTurn(context, benchCase, contestant, connections)),
    ),
    ...(benchCase.name === 'point' ? pgbenchTurns(context) : []),
  ];
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
  const { postmaster } = database;
  const workersHere = workersOf(participant, workers);
  const parts = await watchParts({ serverPid, workers: workersHere, postmaster });
  const load = await turn.run(options.seconds);
  const requests = load.requestsPerSecond * options.seconds;
  return {
    case: benchCase.name,
    participant,
    connections,
    load,
    parts: parts(requests, load.processorUs),
  };
}

/** How many worker threads a server has: `workers` are Rowgate's. */
function workersOf(participant: Participant, workers: number): number {
  if (participant === 'rowgate') return workers;
  return participant === 'bare-lanes' ? 1 : 0;
}

function loadTurn(
  { runLoad, directory }: BenchContext,
  benchCase: BenchCase,
  { name, url, process }: Contestant,
  connections: number,
): Turn {
  const { requests } = askedOf(name, benchCase);
  const run = (seconds: number) => runLoad({ url, requests, connections, seconds, directory });
  return { participant: name, connections, serverPid: process.pid, run };
}

function pgbenchTurns(context: BenchContext): readonly Turn[] {
  const { pgbench: program, database, pointStatement: statement, directory } = context;
  if (program === undefined || !takesPart(context, 'pgbench')) return [];
  const { connection } = database;
  const run = (seconds: number) =>
    runPgbench({ program, connection, statement, idMax: PRODUCTS, seconds, directory });
  return [{ participant: 'pgbench', connections: PGBENCH_CLIENTS, serverPid: undefined, run }];
}

function takesPart({ options }: BenchContext, name: Participant): boolean {
  if (isPeer(name) && !options.peers) return false;
  return options.participants?.includes(name) ?? name !== 'bare-lanes';
}

/** The case in the language of this contestant. */
function askedOf(name: Participant, benchCase: BenchCase): BenchCase {
  return name === 'postgraphile' ? inGraphql(benchCase) : benchCase;
}

/** The constant server answers the same bytes to all reads: right for none but by chance. */
function isConstant(name: Participant, { name: caseName }: BenchCase): boolean {
  return name === 'uws-constant' && caseName !== 'ping';
}

function settingsOf({ options, database, constant }: BenchContext) {
  const { rowgateWords, profileDirectory } = options;
  return { connection: database.connection, rowgateWords, profileDirectory, constant };
}
