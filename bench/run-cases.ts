/** Runs the cases of a run on one database, one after another, and collects their results. */
import type { BenchContext } from './bench-context.js';
import { ping, planHit, planMiss } from './cases/cases.js';
import type { DatabaseBeside } from './database.js';
import { runBulk, runImport } from './import/run-import.js';
import { runMariadbStream } from './mariadb/run-mariadb-stream.js';
import type { Sample } from './measure/figure.js';
import type { MicroResult } from './micro/result.js';
import { runMicro } from './micro/run-micro.js';
import type { Reference } from './mixes/check-query.js';
import { createMix, isMix, type MixName } from './mixes/mixes.js';
import type { CaseName } from './options.js';
import { withReference } from './rivals/open-reference.js';
import { runAlone } from './run-alone.js';
import { type Memory, runCase } from './run-case.js';
import { runCold } from './run-cold.js';
import { runLarge } from './run-large.js';
import { runStart, type StartTimes } from './run-start.js';
import { runBeside } from './scenarios/run-beside.js';
import { runLocks } from './scenarios/run-locks.js';
import type { ScenarioFigure } from './scenarios/scenario.js';
import { isStreamCase, runStream, type StreamCaseName } from './stream/run-streams.js';
import { makeStreamDatabase } from './stream/stream-database.js';
import type { StreamFigure } from './stream/stream-target.js';

/** The result of a case. */
export interface Found {
  readonly samples?: readonly Sample[];
  readonly memory?: Memory;
  readonly streams?: readonly StreamFigure[];
  readonly scenarios?: readonly ScenarioFigure[];
  readonly start?: StartTimes;
  readonly micro?: MicroResult;
  /** Why the case could not be measured. */
  readonly missing?: string;
}

interface CaseContext extends BenchContext {
  readonly reference: Reference;
  /** The database of the streaming cases, created when the first of them runs. */
  readonly streamDatabase: () => Promise<DatabaseBeside>;
}

type Run = (context: CaseContext) => Promise<Found>;

const runs: Readonly<Record<Exclude<CaseName, MixName | StreamCaseName>, Run>> = {
  'plan-hit': (context) => runCase(context, planHit),
  'plan-miss': (context) => runCase(context, planMiss),
  ping: (context) => runCase(context, ping),
  alone: async (context) => ({ samples: await runAlone(context, pointOf(context)) }),
  beside: async (context) => ({ scenarios: await runBeside(context, pointOf(context)) }),
  locks: async (context) => {
    const cases = [pointOf(context), mixOf(context, 'plans')];
    return { scenarios: await runLocks(context, cases) };
  },
  cold: async (context) => ({ samples: await runCold(context, mixOf(context, 'mixed')) }),
  large: async (context) => ({ samples: await runLarge(context, pointOf(context)) }),
  start: async (context) => ({ start: await runStart(context) }),
  micro: async () => ({ micro: await runMicro() }),
  import: async (context) => ({ streams: await runImport(context) }),
  bulk: async (context) => ({ streams: await runBulk(context) }),
  'mariadb-stream': async (context) => ({ streams: await runMariadbStream(context) }),
};

/** A failed case is reported at the end, so that the results of the others are not lost. */
export function runCases(
  context: BenchContext,
  names: readonly CaseName[],
): Promise<readonly Found[]> {
  return withReference(context.database, async (reference) => {
    let streams: Promise<DatabaseBeside> | undefined;
    const streamDatabase = () => (streams ??= makeStreamDatabase(context.database.connection));
    const found: Found[] = [];
    for (const name of names) {
      found.push(await attempt({ ...context, reference, streamDatabase }, name));
    }
    // If it could not be created, there is nothing to drop.
    await streams?.then(
      ({ drop }) => drop(),
      () => undefined,
    );
    return found;
  });
}

async function attempt(context: CaseContext, name: CaseName): Promise<Found> {
  try {
    return await runOf(name)(context);
  } catch (error) {
    process.exitCode = 1;
    return { missing: `${name}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function runOf(name: CaseName): Run {
  if (isMix(name)) return (context) => runCase(context, mixOf(context, name));
  if (!isStreamCase(name)) return runs[name];
  return async (context) => {
    const { connection } = await context.streamDatabase();
    return { streams: await runStream(context, name, connection) };
  };
}

function pointOf(context: CaseContext) {
  return mixOf(context, 'point');
}

function mixOf({ database, reference }: CaseContext, name: MixName) {
  return createMix(name, database.dialect, reference);
}
