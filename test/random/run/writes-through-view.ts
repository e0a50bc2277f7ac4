/**
 * Writes under a view: those that name hidden things are refused, and the others change only what is
 * visible, as if the rest did not exist.
 */
import { Unsure } from '../evaluate/unsure.js';
import { makeWrite } from '../generate/write.js';
import type { Question } from '../judge/judge.js';
import { seenThrough, type View } from '../world/view.js';
import { checkWrite } from './writes.js';
import type { Step } from './round.js';

const WRITES = 6;

/** Writes several times; later steps read the resulting rows. */
export async function checkWritesThroughView(step: Step): Promise<void> {
  const { view } = step.world;
  for (let number = 0; view && number < WRITES; number += 1) {
    const question = questionUnder(step, view);
    if (question) await checkWrite(step, question, { view });
  }
}

/** Undefined if the values of the view are not defined for the present rows. */
function questionUnder({ random, world, report }: Step, view: View): Question | undefined {
  try {
    const seen = seenThrough(view, world);
    // A write of the whole domain may name hidden things, and one of its rows is perhaps hidden.
    const { domain } = random.pick([seen, seen, world]);
    const { tables } = random.pick([seen, world]);
    const { text, data, constructs } = makeWrite({ random, domain, tables });
    for (const construct of constructs) report.constructs.add(construct);
    report.count('writes under a view');
    return { text, data };
  } catch (error) {
    if (error instanceof Unsure) return undefined;
    throw error;
  }
}
