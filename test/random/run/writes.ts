/** Random writes, one after another, compared with the rows that they should leave. */
import { makeWrite } from '../generate/write.js';
import type { Question } from '../judge/judge.js';
import { judgeWrite, refill, type Sending } from '../judge/judge-write.js';
import { describeWrite } from '../reduce/describe-write.js';
import { reduceQuestion } from '../reduce/reduce.js';
import type { Step } from './round.js';

const WRITES = 10;

/** Writes several times; later steps read the resulting rows. */
export async function checkWrites(step: Step): Promise<void> {
  const { random, world, report } = step;
  for (let number = 0; number < WRITES; number += 1) {
    const { domain, tables } = world;
    const write = makeWrite({ random, domain, tables });
    for (const construct of write.constructs) report.constructs.add(construct);
    report.count('writes');
    const key = random.chance(0.15) ? `${step.seed} ${number}` : undefined;
    await checkWrite(step, { text: write.text, data: write.data }, { key });
  }
}

/** Writes, and keeps the rows in memory the same as those in the tables. */
export async function checkWrite(step: Step, question: Question, sending: Sending): Promise<void> {
  const { world, report } = step;
  const { tables } = world;
  const verdict = await judgeWrite(world, world, question, sending);
  if (verdict.kind === 'right') {
    world.tables = verdict.tables;
    return;
  }
  if (verdict.kind === 'unsure')
    report.count(sending.view ? 'not judged under a view' : 'not judged');
  else await note(step, question, sending, verdict);
  // The rows in the tables are no longer known.
  await refill(world, tables);
}

async function note(
  step: Step,
  question: Question,
  { view }: Sending,
  { sort, fault }: { readonly sort: string; readonly fault: string },
): Promise<void> {
  const { world, report } = step;
  const { tables } = world;
  const fails = async (each: Question): Promise<boolean> => {
    try {
      await refill(world, tables);
      const verdict = await judgeWrite(world, world, each, { view });
      return verdict.kind === 'wrong' && verdict.sort === sort;
    } catch {
      return false;
    }
  };
  const isSteady = await fails(question);
  const small = isSteady ? await reduceQuestion(question, fails, 150) : question;
  report.fail(await describeWrite(step, small, { fault, isSteady, view }));
}
