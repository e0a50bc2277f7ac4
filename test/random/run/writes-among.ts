/**
 * Inserts that are sent at once. They may share a statement and a commit, but each gets the answer for its
 * own object, and all of them are stored.
 */
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { describeReply } from '../drive/client.js';
import { jsonOfData } from '../evaluate/data.js';
import { Unsure } from '../evaluate/unsure.js';
import { CROWD } from '../generate/clauses.js';
import { newObject } from '../generate/object.js';
import { parseAnswer } from '../judge/answered.js';
import { difference } from '../judge/differences.js';
import { bodyOf, limits, type Question } from '../judge/judge.js';
import { refill } from '../judge/judge-write.js';
import { tableFault } from '../judge/table-fault.js';
import { applyWrite } from '../write/apply.js';
import type { Step } from './round.js';

/** The number of inserts that are sent at once. */
const TOGETHER = 12;
/** Repetitions. Only after some requests is it known how they can share a statement. */
const TIMES = 3;

/** Inserts random objects of one entity at once, several times. */
export async function checkWritesAmong(step: Step): Promise<void> {
  const { random, world, report } = step;
  const small = world.domain.entities.filter(({ size }) => size <= CROWD);
  const entity = random.pick(small.length > 0 ? small : world.domain.entities);
  const before = world.tables;
  for (let time = 0; time < TIMES; time += 1) {
    const state = { random, domain: world.domain, tables: world.tables };
    const questions = Array.from({ length: TOGETHER }, () => {
      return { text: `${entity.name}.insert()`, data: newObject(state, entity) };
    });
    report.count('writes among others', questions.length);
    const fault = await faultOf(step, questions);
    if (fault === undefined) continue;
    if (fault === 'unsure') report.count('not judged');
    else note(step, questions, fault);
    // The rows in the tables are no longer known.
    world.tables = before;
    return refill(world, before);
  }
}

/** What is wrong with an answer or the stored rows; `unsure` if a write is refused, or may be. */
async function faultOf(
  { world }: Step,
  questions: readonly Question[],
): Promise<string | undefined> {
  const { client, domain } = world;
  const replies = await Promise.all(questions.map((each) => client.post('/execute', bodyOf(each))));
  let { tables } = world;
  try {
    for (const [index, { text, data }] of questions.entries()) {
      const reply = replies[index];
      if (!reply || reply.status >= 500) return reply && describeReply(reply);
      if (reply.status !== 200) return 'unsure';
      const answered = parseAnswer(reply.text);
      const outcome = applyWrite({ domain, tables }, parseQuery(text, limits), data, answered);
      if (outcome.faults.size > 0) return 'unsure';
      const fault = difference(outcome.answer, answered, `answer ${index}`);
      if (fault !== undefined) return fault;
      ({ tables } = outcome);
    }
  } catch (error) {
    if (error instanceof Unsure) return 'unsure';
    throw error;
  }
  const fault = await tableFault(client, domain, tables);
  world.tables = tables;
  return fault;
}

function note({ report, server, seed }: Step, questions: readonly Question[], fault: string): void {
  const lines = questions.map(({ text, data }) => `query     ${text} ${jsonOfData(data)}`);
  const text = [...lines, `fault     ${fault}`, `on        ${server.dialect}, seed ${seed}`];
  report.fail({ kind: 'writes among others', text: text.join('\n') });
}
