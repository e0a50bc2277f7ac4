/** Compares random queries, sent alone or many at once, with the evaluator's answers. */
import { makeData } from '../generate/data.js';
import { makeQuery } from '../generate/query.js';
import { bodyOf, judge, judgeReply, type Question } from '../judge/judge.js';
import type { Random } from '../random.js';
import { describeBatch } from '../reduce/describe-batch.js';
import { describeFailure } from '../reduce/describe.js';
import type { Domain } from '../world/domain.js';
import type { Report } from './report.js';
import type { Step } from './round.js';

/** How often a query is sent with different data. Requests of one plan may run as one statement. */
const VARIANTS = [1, 1, 1, 3, 8];

/** Sends up to 33 requests at once. A request with a wrong answer is also sent alone. */
export async function checkQuestions(step: Step): Promise<void> {
  const { random, world, report } = step;
  const wanted = random.pick([1, 8, 33]);
  const questions: Question[] = [];
  while (questions.length < wanted) questions.push(...variants(random, world.domain, report));
  const sent = random.shuffled(questions.slice(0, wanted));
  const replies = await Promise.all(
    sent.map((question) => world.client.post('/execute', bodyOf(question))),
  );
  report.count('queries', sent.length);
  for (const [index, question] of sent.entries()) {
    const reply = replies[index];
    if (!reply) continue;
    const verdict = judgeReply(world, question, reply);
    if (verdict.kind === 'unsure') report.count('not judged');
    if (verdict.kind === 'wrong') await note(step, question, sent, verdict.fault);
  }
}

function variants(random: Random, domain: Domain, report: Report): readonly Question[] {
  const query = makeQuery(random, domain);
  for (const construct of query.constructs) report.constructs.add(construct);
  return Array.from({ length: random.pick(VARIANTS) }, () => {
    return { text: query.text, data: makeData(random, query.parameters) };
  });
}

/** `fault` is what was wrong; it may not be reproducible. */
async function note(
  step: Step,
  question: Question,
  sent: readonly Question[],
  fault: string,
): Promise<void> {
  const { world, report } = step;
  const alone = await judge(world.client, world, question);
  if (alone.kind === 'wrong') {
    report.fail(await describeFailure(step, question, alone));
    return;
  }
  report.fail(await describeBatch(step, question, sent, fault));
}
