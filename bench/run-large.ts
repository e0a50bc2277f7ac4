/** Short reads alone, and with large reads among them: what large answers cost the others. */
import type { BenchContext } from './bench-context.js';
import { type BenchCase, queryRequest } from './cases/case.js';
import { ask, checkContestant } from './cases/ask-server.js';
import { type Contestant, withRowgate } from './contestants.js';
import type { LoadResult } from './load/load.js';
import { runShortAndLarge } from './load/short-and-large.js';
import type { Sample } from './measure/figure.js';
import { PRODUCTS } from './rows.js';
import { runTurns, type Turn } from './run-turns.js';

const CONNECTIONS = 64;
const LARGE_PERCENT = 5;
const SHORT_BODIES = 200;
const large = queryRequest('/execute', 'Products');

export function runLarge(context: BenchContext, pointCase: BenchCase): Promise<readonly Sample[]> {
  return withRowgate(context, async (rowgate) => {
    await checkContestant(pointCase, rowgate);
    const rows: unknown = JSON.parse(await ask(rowgate.url, large));
    if (!Array.isArray(rows) || rows.length !== PRODUCTS) {
      throw new Error(`The large read does not answer with ${PRODUCTS} rows.`);
    }
    const turn = (name: 'large' | 'large-short', largePercent: number): Turn => ({
      case: name,
      participant: 'rowgate',
      connections: CONNECTIONS,
      serverPid: rowgate.process.pid,
      run: (seconds) => putUnderLoad(pointCase, rowgate, largePercent, seconds),
    });
    return runTurns(context, [turn('large-short', 0), turn('large', LARGE_PERCENT)]);
  });
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
