/**
 * Reads of tables that are locked every second: all must be answered, and afterwards as fast as
 * before.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../bench-context.js';
import { checkContestant } from '../cases/ask-server.js';
import type { BenchCase } from '../cases/case.js';
import { type Contestant, withContestants } from '../contestants.js';
import { createRandom } from '../random.js';
import { openLocker } from './open-locker.js';
import { readPatiently } from './read-patiently.js';
import { putUnderLoad, type ScenarioFigure } from './scenario.js';

const CLIENTS = [40, 400] as const;
const LOCK_MS_MIN = 50;
const LOCK_MS_MAX = 2000;
const EVERY_MS = 1000;
const QUIET_SECONDS = 3;
/** How much the speed of the machine itself may vary within a minute. */
const RATE_AFTERWARDS_MIN = 0.8;
const SEED = 20_261_121;

/** One plan for the point reads, and many for the others. */
export function runLocks(
  context: BenchContext,
  cases: readonly BenchCase[],
): Promise<readonly ScenarioFigure[]> {
  return withContestants(context, ['rowgate', 'before'], async (contestants) => {
    const figures: ScenarioFigure[] = [];
    for (const contestant of contestants) {
      for (const each of cases) {
        await checkContestant(each, contestant);
        for (const connections of CLIENTS) {
          figures.push(...(await measure(context, each, contestant, connections)));
        }
      }
    }
    return figures;
  });
}

async function measure(
  context: BenchContext,
  { name, requests }: BenchCase,
  contestant: Contestant,
  connections: number,
): Promise<readonly ScenarioFigure[]> {
  const { options, database, say } = context;
  const { scenarioSeconds: seconds } = options;
  const quiet = { requests, connections, seconds: QUIET_SECONDS };
  await putUnderLoad(context, contestant, quiet);
  const before = await putUnderLoad(context, contestant, quiet);
  const [during] = await Promise.all([
    readPatiently(contestant, { requests, connections, seconds }),
    lockForSeconds(context, seconds),
  ]);
  const after = await putUnderLoad(context, contestant, quiet);
  const ratio = after.requestsPerSecond / before.requestsPerSecond;
  say(
    `locks: ${contestant.name}: ${name} × ${connections}: ${ratio.toFixed(2)} of the rate before`,
  );
  const shared = { dialect: database.dialect, participant: contestant.name };
  const what = `${name} of ${connections} clients`;
  return [
    { ...shared, what: `${what} before`, ...before },
    { ...shared, what: `${what} among locks`, ...during, isMet: during.failed === 0 },
    {
      ...shared,
      what: `${what} afterwards`,
      ...after,
      isMet: after.failed === 0 && ratio >= RATE_AFTERWARDS_MIN,
    },
  ];
}

/** Locks the tables at the start of each second, unless they are still locked. */
async function lockForSeconds({ database }: BenchContext, seconds: number): Promise<void> {
  const random = createRandom(SEED);
  const locker = await openLocker(database);
  try {
    const start = performance.now();
    for (;;) {
      const lockMs = LOCK_MS_MIN + random(LOCK_MS_MAX - LOCK_MS_MIN + 1);
      const passedMs = performance.now() - start;
      if (passedMs + lockMs > seconds * 1000) return;
      await locker.lock();
      await sleep(lockMs);
      await locker.unlock();
      await sleep(EVERY_MS - ((performance.now() - start) % EVERY_MS));
    }
  } finally {
    await locker.end();
  }
}
