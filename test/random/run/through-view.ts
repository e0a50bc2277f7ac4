/**
 * Under a view, queries are answered as if the hidden part did not exist: those that name hidden things are
 * refused, and errors contain neither hidden names nor values.
 */
import { describeReply, type Reply } from '../drive/client.js';
import type { WorldPlan } from '../drive/world.js';
import { jsonOfData } from '../evaluate/data.js';
import { Unsure } from '../evaluate/unsure.js';
import { makeData } from '../generate/data.js';
import { makeQuery } from '../generate/query.js';
import { hiddenNames, leakIn, usesHidden } from '../judge/hidden.js';
import { bodyOf, judgeReply, type Question } from '../judge/judge.js';
import { reduceQuestion } from '../reduce/reduce.js';
import { seenThrough, type View } from '../world/view.js';
import { edited } from './robust.js';
import type { Step } from './round.js';

const QUESTIONS = [1, 8, 24];
const REDUCTIONS_MAX = 300;

/** Sends queries under the view, together with the same ones under the default view. */
export async function checkThroughView(step: Step): Promise<void> {
  const { random, world, report } = step;
  const { view } = world;
  const seen = view && seenOf(view, world);
  if (!view || !seen) return;
  const questions = Array.from({ length: random.pick(QUESTIONS) }, () => {
    // A query of the whole domain may name hidden things.
    const { text, parameters } = makeQuery(random, random.pick([seen, seen, world]).domain);
    const isChanged = random.chance(0.15);
    return { text: isChanged ? misspelled(step, seen, text) : text, isChanged, parameters };
  }).map((each) => ({ ...each, data: makeData(random, each.parameters) }));
  const narrow = { ...step, view, seen };
  const whole = random.chance(0.3);
  const replies = await Promise.all(
    questions.map((each) => {
      const sent = world.client.post('/execute', bodyOf(each, view.name));
      const other = whole && world.client.post('/execute', bodyOf(each));
      return Promise.all([sent, other]);
    }),
  );
  report.count('queries under a view', questions.length);
  for (const [index, question] of questions.entries()) {
    const [reply, other] = replies[index] ?? [];
    if (!reply) continue;
    const fault = faultOf(narrow, question, reply);
    if (fault !== undefined) await note(narrow, question, fault);
    else if (other && !question.isChanged) {
      const verdict = judgeReply(world, question, other);
      if (verdict.kind === 'wrong') await note(narrow, question, `by default: ${verdict.fault}`);
    }
  }
}

interface NarrowStep extends Step {
  readonly view: View;
  readonly seen: WorldPlan;
}

/** Undefined if the values of the view are not defined for the present rows. */
function seenOf(view: View, plan: WorldPlan): WorldPlan | undefined {
  try {
    return { ...seenThrough(view, plan), split: plan.split };
  } catch (error) {
    if (error instanceof Unsure) return undefined;
    throw error;
  }
}

/** A changed query, sometimes with a name that is almost a hidden one. */
function misspelled({ random, world }: Step, seen: WorldPlan, text: string): string {
  const hidden = [...hiddenNames(world.domain, seen.domain)];
  if (hidden.length === 0 || random.chance(0.5)) return edited(random, text);
  const name = random.pick(hidden);
  const almost = random.pick([`${name}s`, name.slice(0, -1), `x${name}`, name.toUpperCase()]);
  const entity = random.pick(seen.domain.entities).name;
  return random.pick([
    `${entity}.map(p=>p.${almost})`,
    `${entity}.include(p=>p.${almost})`,
    almost,
  ]);
}

interface Sent extends Question {
  /** Whether the query may be invalid. */
  readonly isChanged: boolean;
}

function faultOf({ world, seen }: NarrowStep, question: Sent, reply: Reply): string | undefined {
  const body = bodyOf(question);
  const leak = reply.status === 200 ? undefined : leakIn(reply.text, body, world, seen);
  if (leak !== undefined) return `the error contains ${leak}: ${describeReply(reply)}`;
  if (question.isChanged) {
    const isFine = (reply.status >= 400 && reply.status < 500) || reply.text === 'aborted';
    return reply.status === 200 || isFine ? undefined : describeReply(reply);
  }
  const uses = usesHidden(question.text, world.domain, seen.domain);
  // A name that nobody has may be no relation, so that the query has other faults, too.
  if (reply.status === 400 && uses !== 'no') return undefined;
  if (uses === 'yes') return `it names hidden things: ${describeReply(reply)}`;
  const verdict = judgeReply(seen, question, reply);
  return verdict.kind === 'wrong' ? verdict.fault : undefined;
}

async function note(step: NarrowStep, question: Sent, fault: string): Promise<void> {
  const { world, report, server, seed, view } = step;
  const faultNow = async (each: Question): Promise<string | undefined> => {
    const reply = await world.client.post('/execute', bodyOf(each, view.name));
    return faultOf(step, { ...each, isChanged: question.isChanged }, reply);
  };
  const sortOf = (text: string) => text.replaceAll(/'[^']*'|"[^"]*"|\d+|\[.*/gs, '…').slice(0, 40);
  const fails = async (each: Question): Promise<boolean> => {
    try {
      const found = await faultNow(each);
      return found !== undefined && sortOf(found) === sortOf(fault);
    } catch {
      return false;
    }
  };
  const isSteady = await fails(question);
  const small = isSteady ? await reduceQuestion(question, fails, REDUCTIONS_MAX) : question;
  report.fail({
    kind: `view: ${sortOf(fault)}`,
    text: [
      `query     ${small.text}`,
      `data      ${jsonOfData(small.data)}`,
      `fault     ${isSteady ? ((await faultNow(small)) ?? fault) : `once: ${fault}`}`,
      `view      ${JSON.stringify(view)}`,
      `from      ${bodyOf(question, view.name)}`,
      `its fault ${fault}`,
      `on        ${server.dialect}, seed ${seed}`,
    ].join('\n'),
  });
}
