/** Random writes, one after the other, against the rows that they should leave. */
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { codeOf, told } from '../drive/client.js';
import { importRows, type World, type WorldPlan } from '../drive/world.js';
import { Unsure } from '../evaluate/unsure.js';
import type { Tables } from '../evaluate/tables.js';
import { makeWrite } from '../generate/write.js';
import { parseAnswer } from '../judge/answered.js';
import { difference, shown } from '../judge/differences.js';
import { bodyOf, limits, type Question } from '../judge/judge.js';
import { reduceQuestion } from '../reduce/reduce.js';
import { describeWrite } from '../reduce/describe-write.js';
import { applyWrite } from '../write/apply.js';
import { codesOfFault } from '../write/outcome.js';
import { tableFault } from './tables.js';
import type { Step } from './round.js';

const WRITES = 6;

/** Writes several times; what they leave is what later steps read. */
export async function checkWrites(step: Step): Promise<void> {
  const { random, world, report } = step;
  for (let number = 0; number < WRITES; number += 1) {
    const { domain, tables } = world;
    const write = makeWrite({ random, domain, tables });
    for (const construct of write.constructs) report.constructs.add(construct);
    report.count('writes');
    const question = { text: write.text, data: write.data };
    const verdict = await judgeWrite(world, world, question);
    if (verdict.kind === 'right') {
      world.tables = verdict.tables;
      continue;
    }
    if (verdict.kind === 'unsure') report.count('not judged');
    else await note(step, question, verdict.sort, verdict.fault);
    // What is there is not known any more.
    await refill(world, tables);
  }
}

export type WriteVerdict =
  | { readonly kind: 'right'; readonly tables: Tables }
  | { readonly kind: 'unsure' }
  | {
      readonly kind: 'wrong';
      readonly fault: string;
      readonly sort: string;
      readonly expected: string;
      readonly found: string;
    };

/** Writes, and judges the answer and the rows that are there afterwards. */
export async function judgeWrite(
  world: World,
  plan: WorldPlan,
  question: Question,
): Promise<WriteVerdict> {
  const { domain, tables } = plan;
  const reply = await world.client.post('/execute', bodyOf(question));
  const answered = reply.status === 200 ? parseAnswer(reply.text) : null;
  try {
    const outcome = applyWrite(
      domain,
      tables,
      parseQuery(question.text, limits),
      question.data,
      answered,
    );
    const codes = [...outcome.faults].flatMap((fault): readonly string[] => codesOfFault[fault]);
    const wrong = (fault: string, sort: string): WriteVerdict => ({
      kind: 'wrong',
      fault,
      sort,
      expected: codes.length > 0 ? codes.join(' or ') : shown(outcome.answer),
      found: reply.text.slice(0, 2000),
    });
    if (codes.length > 0) {
      if (!codes.includes(codeOf(reply) ?? ''))
        return wrong(
          `refused by ${codes.join(' or ')} expected, ${told(reply)} found`,
          `not refused: ${reply.status}`,
        );
    } else if (answered === null)
      return wrong(told(reply), told(reply).replaceAll(/'[^']*'|\d+/g, '…'));
    else {
      const fault = difference(outcome.answer, answered);
      if (fault !== undefined) return wrong(fault, 'the answer differs');
    }
    const left = await tableFault(world.client, domain, outcome.tables);
    if (left !== undefined) return wrong(left, 'the rows differ');
    return { kind: 'right', tables: outcome.tables };
  } catch (error) {
    if (error instanceof Unsure) return { kind: 'unsure' };
    throw error;
  }
}

/** The rows as they were before. */
export async function refill(world: World, tables: Tables): Promise<void> {
  await world.database.empty();
  await importRows(world.client, world.domain, tables);
}

async function note(step: Step, question: Question, sort: string, fault: string): Promise<void> {
  const { world, report } = step;
  const { tables } = world;
  const fails = async (each: Question): Promise<boolean> => {
    try {
      await refill(world, tables);
      const verdict = await judgeWrite(world, world, each);
      return verdict.kind === 'wrong' && verdict.sort === sort;
    } catch {
      return false;
    }
  };
  const isSteady = await fails(question);
  const small = isSteady ? await reduceQuestion(question, fails, 150) : question;
  report.fail(await describeWrite(step, small, fault, isSteady));
}
