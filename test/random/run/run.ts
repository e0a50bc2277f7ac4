/** A run: rounds on different worlds until the time is over. */
import type { Server } from '../drive/database.js';
import { runRound } from './round.js';
import { createReport, type Report, summaryOf } from './report.js';
import { seedOfRun } from './seed.js';

const SECONDS = 60;
const FAILURES_MAX = 8;
/** The least number of queries a second that the evaluator judges, of about ten. */
const JUDGED = 1;

/** How long a run takes on each database, by default or from `ROWGATE_TEST_RANDOM_SECONDS`. */
export function runMs(): number {
  return 1000 * Number(process.env['ROWGATE_TEST_RANDOM_SECONDS'] ?? SECONDS);
}

/**
 * Runs for that time, and prints a summary. `ROWGATE_TEST_RANDOM_ROUND` is the number of the first
 * round.
 */
export async function run(server: Server): Promise<Report> {
  // A failed round says in which step.
  Error.stackTraceLimit = 50;
  const report = createReport();
  const seed = seedOfRun();
  const deadline = performance.now() + runMs();
  const first = Number(process.env['ROWGATE_TEST_RANDOM_ROUND'] ?? 0);
  for (let number = first; performance.now() < deadline; number += 1) {
    if (report.failures.length >= FAILURES_MAX) break;
    const plan = { server, seed: `${seed} ${number}`, deadline, failuresMax: FAILURES_MAX };
    try {
      await runRound(plan, report);
    } catch (error) {
      // What the rounds before it have found must not be lost.
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const text = `The round itself failed on ${server.dialect}, seed ${plan.seed}: ${cause}`;
      report.fail({ kind: 'round', text });
    }
  }
  const judged = count(report, 'queries') - count(report, 'not judged');
  if (report.failures.length === 0 && judged < (JUDGED * runMs()) / 1000) {
    report.fail({ kind: 'run', text: `Only ${judged} queries were judged on ${server.dialect}.` });
  }
  console.log(`${server.dialect}, seed ${seed}: ${summaryOf(report)}`);
  return report;
}

function count({ counts }: Report, what: string): number {
  return counts.get(what) ?? 0;
}
