/**
 * Runs one case: starts its servers, checks their answers, measures them in turns, and stops them.
 */
import type { BenchContext } from './bench-context.js';
import { checkContestant } from './cases/ask-server.js';
import type { BenchCase, HttpRequest } from './cases/case.js';
import { toGraphql } from './cases/graphql.js';
import { countQueries, listSizeOf, PROBLEM, toLists } from './cases/listed.js';
import { type Contestant, takesPart, withContestants } from './contestants.js';
import { PGBENCH_CLIENTS, runPgbench } from './load/pgbench.js';
import type { Sample } from './measure/figure.js';
import { residentBytes } from './measure/process-table.js';
import { pgbenchScript } from './mixes/pgbench-script.js';
import { runTurns, type Turn } from './run-turns.js';

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

export function runCase(context: BenchContext, benchCase: BenchCase): Promise<CaseResult> {
  return withContestants(context, benchCase.contestants, async (contestants) => {
    const pid = contestants.find(({ name }) => name === 'rowgate')?.process.pid;
    const memory = () => (pid === undefined ? undefined : residentBytes(pid));
    const idleBytes = memory();
    for (const contestant of contestants) await checkContestant(benchCase, contestant);
    const samples = await runTurns(context, [
      ...context.options.connections.flatMap((connections) =>
        contestants.map((contestant) => loadTurn(context, benchCase, contestant, connections)),
      ),
      ...(await pgbenchTurns(context, benchCase, contestants)),
    ]);
    return { samples, memory: { case: benchCase.name, idleBytes, loadedBytes: memory() } };
  });
}

function loadTurn(
  { runLoad, directory }: BenchContext,
  benchCase: BenchCase,
  { name: participant, url, process }: Contestant,
  connections: number,
): Turn {
  const { name, requests: asked } = benchCase;
  const size = listSizeOf(benchCase, participant);
  const translate = (request: HttpRequest) => toGraphql(name, request);
  const single = participant === 'postgraphile' ? asked.map(translate) : asked;
  const requests = size === undefined ? single : toLists(single, size);
  const warm = (seconds: number) => runLoad({ url, requests, connections, seconds, directory });
  const run = async (seconds: number) => {
    if (size === undefined) return warm(seconds);
    // A cold server may refuse some of so many queries at once.
    const order = { url, requests, connections, seconds, directory, failure: PROBLEM };
    return countQueries(await runLoad(order), size);
  };
  return { case: name, participant, connections, serverPid: process.pid, run, warm };
}

async function pgbenchTurns(
  context: BenchContext,
  { name, pgbench: queries = [] }: BenchCase,
  contestants: readonly Contestant[],
): Promise<readonly Turn[]> {
  const { pgbench: program, database, directory } = context;
  const rowgate = contestants.find((contestant) => contestant.name === 'rowgate');
  if (queries.length === 0 || !takesPart(context, 'pgbench')) return [];
  if (program === undefined || rowgate === undefined) return [];
  const scripts: string[] = [];
  for (const query of queries) scripts.push(await pgbenchScript(rowgate.url, query));
  const { connection } = database;
  const run = (seconds: number) => runPgbench({ program, connection, scripts, seconds, directory });
  const participant = 'pgbench';
  return [{ case: name, participant, connections: PGBENCH_CLIENTS, serverPid: undefined, run }];
}
