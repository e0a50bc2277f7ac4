/** A round: one random world, and a number of random steps on it. */
import { otherServer, type Server } from '../drive/database.js';
import { startWorld, type World } from '../drive/world.js';
import { createRandom, type Random } from '../random.js';
import { withForeignColumns } from '../world/foreign-columns.js';
import { makeDomain } from '../world/make-domain.js';
import { makeListeners } from '../world/make-listeners.js';
import { makeView } from '../world/make-view.js';
import { splitDomain, withinDatabases } from '../world/split-domain.js';
import { makeRows } from '../world/make-rows.js';
import { checkQuestions } from './questions.js';
import { checkWrites } from './writes.js';
import { checkWritesThroughView } from './writes-through-view.js';
import { checkWritesAmong } from './writes-among.js';
import { checkAmong } from './among.js';
import { checkByHand } from './by-hand.js';
import { checkFormats } from './formats.js';
import { checkImport } from './import.js';
import { checkList } from './lists.js';
import { checkIncluded, checkPartition } from './laws.js';
import { checkPages } from './pages.js';
import { checkEdited, checkRefused } from './robust.js';
import { checkSlowReader } from './slow-reader.js';
import { checkThroughView } from './through-view.js';
import { checkTransaction } from './transactions.js';
import { checkTransfer } from './transfer.js';
import type { Report } from './report.js';

export interface RoundPlan {
  readonly server: Server;
  readonly seed: string;
  /** No step starts after this time of `performance.now()`. */
  readonly deadline: number;
  /** The round ends early after this many failures. */
  readonly failuresMax: number;
}

/** What a step works with. */
export interface Step {
  readonly random: Random;
  readonly world: World;
  readonly server: Server;
  readonly report: Report;
  readonly seed: string;
}

type StepKind = (step: Step) => Promise<void>;

const kinds: readonly (readonly [weight: number, kind: StepKind])[] = [
  [10, checkQuestions],
  [3, checkAmong],
  [4, checkWrites],
  [1, checkWritesAmong],
  [2, checkFormats],
  [1, checkList],
  [2, checkPartition],
  [2, checkIncluded],
  [1, checkPages],
  [1, checkByHand],
  [1, checkEdited],
  [2, checkTransaction],
  [3, checkThroughView],
  [3, checkWritesThroughView],
  [0.5, checkRefused],
  [0.3, checkSlowReader],
  [0.5, checkTransfer],
  [0.5, checkImport],
];
const STEPS = 100;
/** The probability that a world has a view. */
const VIEWS = 0.6;
/** The probability that a world has columns of other types than those that `push` creates. */
const FOREIGN = 0.4;

/** The probability that the entities of a world without such columns are in two databases. */
const SPLIT = 0.4;

/** The probability that a world has listeners. */
const LISTENERS = 0.2;

/** The probability that requests have a key with limits. */
const LIMITS = 0.1;

/** Creates the world of the seed, and takes steps on it until there are enough or the time is over. */
export async function runRound(plan: RoundPlan, report: Report): Promise<void> {
  const { server, seed, deadline, failuresMax } = plan;
  const random = createRandom(seed);
  const made = makeDomain(random);
  const isForeign = random.chance(FOREIGN);
  const whole = isForeign ? withForeignColumns(random, made, server.dialect) : made;
  const hasView = random.chance(VIEWS);
  const { domain, moved } =
    isForeign || !random.chance(SPLIT)
      ? { domain: whole, moved: undefined }
      : splitDomain(random, whole);
  const split = moved && { moved, server: random.chance(0.7) ? otherServer(server) : server };
  const listeners = random.chance(LISTENERS) ? makeListeners(random, domain, !split) : undefined;
  const hasLimits = !split && random.chance(LIMITS);
  const tables = makeRows(random, domain);
  const batching = random.pick(['measured', 'always']);
  const httpServer = random.pick(['auto', 'auto', 'node']);
  const own = moved ? withinDatabases(domain, moved) : domain;
  const view = hasView ? makeView(random, { domain: own, tables }) : undefined;
  const sharing = random.pick(['0', '1', '1', '3']);
  const options = [
    ...['--batching', batching, '--http-server', httpServer, '--share-plans-from', sharing],
  ];
  const world = await startWorld(
    server,
    { domain, tables, view, split, listeners, hasLimits },
    options,
  );
  report.count('worlds');
  try {
    for (let number = 0; number < STEPS; number += 1) {
      if (performance.now() > deadline || report.failures.length >= failuresMax) break;
      const step = { random: createRandom(`${seed} ${number}`), world, server, report };
      await random.weighted(kinds)({ ...step, seed: `${seed} ${number}` });
    }
    for (const text of world.faults()) report.fail({ kind: 'a fault in the log', text });
  } finally {
    await world.stop();
  }
}
