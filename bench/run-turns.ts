/** Measures all participants of a case in turns, round by round. */
import type { BenchContext } from './bench-context.js';
import type { LoadResult } from './load/load.js';
import type { MeasuredCase, Participant, Sample } from './measure/figure.js';
import { watchParts } from './measure/parts.js';
import { warmUp } from './warm-up.js';

/** A participant, and how to put it under load. */
export interface Turn {
  readonly case: MeasuredCase;
  readonly participant: Participant;
  readonly connections: number;
  /** Undefined if the participant queries the database itself. */
  readonly serverPid: number | undefined;
  readonly run: (seconds: number) => Promise<LoadResult>;
  /** A different load for the warm-up. */
  readonly warm?: (seconds: number) => Promise<LoadResult>;
}

/** Warms up all participants, then measures each in each round. */
export async function runTurns(
  context: BenchContext,
  turns: readonly Turn[],
): Promise<readonly Sample[]> {
  const { options } = context;
  await warmUp(turns, options.warmupSeconds);
  const samples: Sample[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const turn of turns) samples.push(await takeTurn(context, turn, round));
  }
  return samples;
}

/** Measures a participant once. */
export async function takeTurn(
  { options, database, workers, say }: BenchContext,
  { case: name, participant, connections, serverPid, run }: Turn,
  round: number,
): Promise<Sample> {
  const { dialect, postmaster } = database;
  const workersHere = workersOf(participant, workers);
  const parts = await watchParts({ serverPid, workers: workersHere, postmaster });
  const load = await run(options.seconds);
  say(`${name} ${round}: ${participant} × ${connections}: ${summaryOf(load)}`);
  return { case: name, dialect, participant, connections, load, parts: parts(load) };
}

/** The number of worker threads of a server; `workers` are Rowgate's. */
function workersOf(participant: Participant, workers: number): number {
  if (participant === 'rowgate' || participant === 'before') return workers;
  return participant === 'bare-batcher' ? 1 : 0;
}

function summaryOf({ requestsPerSecond, p50Us, p99Us }: LoadResult): string {
  const rate = `${Math.round(requestsPerSecond).toLocaleString('en')}/s`;
  if (p50Us === undefined || p99Us === undefined) return rate;
  return `${rate}, p50 ${Math.round(p50Us)} µs, p99 ${Math.round(p99Us)} µs`;
}
