/** The first seconds after a start, in which V8 has optimized nothing: each round starts new servers. */
import type { BenchContext } from './bench-context.js';
import { checkContestant } from './cases/ask-server.js';
import type { BenchCase } from './cases/case.js';
import { withContestants } from './contestants.js';
import type { Sample } from './measure/figure.js';
import { takeTurn } from './run-turns.js';

export async function runCold(
  context: BenchContext,
  benchCase: BenchCase,
): Promise<readonly Sample[]> {
  const { contestants, requests } = benchCase;
  await withContestants(context, contestants, async (all) => {
    for (const each of all) await checkContestant(benchCase, each);
  });
  const { options, runLoad, directory } = context;
  const samples: Sample[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const connections of options.connections) {
      for (const name of contestants) {
        await withContestants(context, [name], async ([contestant]) => {
          if (contestant === undefined) return;
          const { url, process } = contestant;
          const run = (seconds: number) =>
            runLoad({ url, requests, connections, seconds, directory });
          const turn = { case: 'cold', participant: name, connections } as const;
          samples.push(await takeTurn(context, { ...turn, serverPid: process.pid, run }, round));
        });
      }
    }
  }
  return samples;
}
