/**
 * One connection, one request at a time: the latency of Rowgate compared with pg and the constant
 * server.
 */
import type { BenchContext } from './bench-context.js';
import { checkContestant } from './cases/ask-server.js';
import type { BenchCase } from './cases/case.js';
import { withContestants } from './contestants.js';
import { startPgAlone } from './load/pg-alone.js';
import type { Sample } from './measure/figure.js';
import { POINT } from './mixes/queries.js';
import { PRODUCTS } from './rows.js';
import { runTurns, type Turn } from './run-turns.js';

const CONTESTANTS = ['rowgate', 'before', 'fastify-pg', 'uws-constant'] as const;
const alone = { case: 'alone', connections: 1 } as const;

export function runAlone(
  context: BenchContext,
  { requests, ...pointCase }: BenchCase,
): Promise<readonly Sample[]> {
  const { database, runLoad, directory } = context;
  return withContestants(context, CONTESTANTS, async (contestants) => {
    for (const each of contestants) await checkContestant({ requests, ...pointCase }, each);
    const turns = contestants.map(({ name, url, process }): Turn => {
      const run = (seconds: number) =>
        runLoad({ url, requests, connections: 1, seconds, directory });
      return { ...alone, participant: name, serverPid: process.pid, run };
    });
    const { connection } = database;
    const pg = startPgAlone({ connection, statement: POINT.sql, idMax: PRODUCTS });
    try {
      const { run } = pg;
      return await runTurns(context, [
        ...turns,
        { ...alone, participant: 'pg', serverPid: undefined, run },
      ]);
    } finally {
      await pg.stop();
    }
  });
}
