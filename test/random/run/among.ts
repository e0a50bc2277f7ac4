/**
 * A request gets the same answer among others as alone. Requests that wait together may run as one
 * statement.
 */
import type { Reply } from '../drive/client.js';
import { jsonOfData } from '../evaluate/data.js';
import { makeData } from '../generate/data.js';
import { makeQuery, type RandomQuery } from '../generate/query.js';
import { parseAnswer, unorderedText } from '../judge/answered.js';
import { bodyOf, type Question } from '../judge/judge.js';
import { leavesRowsOpen } from '../judge/open-rows.js';
import type { Step } from './round.js';

/** The number of requests that are sent at once. */
const TOGETHER = 33;
const VARIANTS = 6;
/**
 * Repetitions. Only after some requests is it known whether a plan is short, and whether it can be
 * batched.
 */
const TIMES = 3;
const TRIES = 60;

/** Sends a query with different data one by one, then all at once, several times. */
export async function checkAmong(step: Step): Promise<void> {
  const { random, world, report, server, seed } = step;
  const query = chosenQuery(step);
  if (!query) return;
  const { text } = query;
  const questions: readonly Question[] = Array.from({ length: VARIANTS }, () => {
    return { text, data: makeData(random, query.parameters) };
  });
  const ask = (question: Question) => world.client.post('/execute', bodyOf(question));
  const alone = new Map<Question, string>();
  for (const question of questions) alone.set(question, answerOf(await ask(question)));
  for (let time = 0; time < TIMES; time += 1) {
    const sent = Array.from({ length: TOGETHER }, () => random.pick(questions));
    report.count('queries among others', sent.length);
    const answers = (await Promise.all(sent.map(ask))).map(answerOf);
    const at = sent.findIndex((each, index) => isOther(alone.get(each), answers[index]));
    const wrong = sent[at];
    if (!wrong) continue;
    report.fail({
      kind: 'among others',
      text: [
        'A request gets a different answer among others than alone.',
        `query     ${text}`,
        `data      ${jsonOfData(wrong.data)}`,
        `alone     ${(alone.get(wrong) ?? '').slice(0, 500)}`,
        `among     ${(answers[at] ?? '').slice(0, 500)}`,
        `others    ${questions.map(({ data }) => jsonOfData(data)).join(' ')}`,
        `on        ${server.dialect}, seed ${seed}`,
      ].join('\n'),
    });
    return;
  }
}

/** A number that is too large fails only where it is evaluated, which may be for rows that there are. */
function isOther(alone = '', among = ''): boolean {
  const isTooLarge = [alone, among].some((each) => each.includes('value-out-of-range'));
  return alone !== among && !isTooLarge;
}

/** A query with data, preferably one that finds its rows by a key. */
function chosenQuery({ random, world }: Step): RandomQuery | undefined {
  const made = Array.from({ length: TRIES }, () => makeQuery(random, world.domain)).filter(
    ({ text, parameters }) => parameters.size > 0 && !leavesRowsOpen(world.domain, text),
  );
  // Each kind of key has different statements.
  const kind = random.pick(['keyed s1', 'keyed s1', 'keyed i1', 'keyed', '']);
  const isOfKind = ({ constructs }: RandomQuery) =>
    [...constructs].some((each) => each.startsWith(kind));
  return made.find(isOfKind) ?? made[0];
}

/** The rows in a canonical order; for a refusal, its status and its code. */
function answerOf({ status, text }: Reply): string {
  if (status === 200) return unorderedText(parseAnswer(text));
  return `${status} ${/"code":"[\w-]+"/.exec(text)?.[0] ?? text}`;
}
