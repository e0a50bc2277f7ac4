/** Reduces a bug that only occurs among other requests: one query, sent with several data at once. */
import { jsonOfData } from '../evaluate/data.js';
import { bodyOf, judge, judgeReply, type Question } from '../judge/judge.js';
import type { Failure } from '../run/report.js';
import type { Step } from '../run/round.js';
import { importDocument, schemaFile } from '../world/schema-file.js';
import { reduceQuestion } from './reduce.js';
import { smallerDomain } from './smaller-domain.js';

/** The number of copies of each question that are sent at once. */
const COPIES = 6;
const TRIES = 3;
const TRIALS = 150;

/**
 * Sends the same query with all its data alone. If the answers are right, everything that was sent is
 * shown.
 */
export async function describeBatch(
  step: Step,
  question: Question,
  sent: readonly Question[],
  fault: string,
): Promise<Failure> {
  const { world, server, seed } = step;
  const same = sent.filter(({ text }) => text === question.text);
  const fails = ({ text }: Question) =>
    failTogether(
      step,
      same.map(({ data }) => ({ text, data })),
    ).catch(() => false);
  if (!(await fails(question))) {
    const bodies = sent.map((each) => bodyOf(each)).join('\n');
    const text = `Right alone, wrong once among others:\n${bodyOf(question)}\n${fault}\nThe others:\n${bodies}`;
    return { kind: 'once among others', text: `${text}\non ${server.dialect}, seed ${seed}` };
  }
  const { text } = await reduceQuestion(question, fails, TRIALS);
  const { domain, tables } = smallerDomain(world, text);
  const schema = schemaFile(domain, { dialect: server.dialect, connection: {} });
  const lines = [
    'Right alone, wrong when sent at once:',
    `query     ${text}`,
    `data      ${same.map(({ data }) => jsonOfData(data)).join(' ')}`,
    `on        ${server.dialect}, seed ${seed}`,
    `rows      ${importDocument(domain, tables)}`,
    `schema    ${JSON.stringify(schema)}`,
  ];
  return { kind: 'among others', text: lines.join('\n') };
}

/** Whether one of several copies gets a wrong answer although it is right alone. */
async function failTogether({ world }: Step, questions: readonly Question[]): Promise<boolean> {
  const copies = Array.from({ length: COPIES }, () => questions).flat();
  for (let number = 0; number < TRIES; number += 1) {
    const replies = await Promise.all(
      copies.map((each) => world.client.post('/execute', bodyOf(each))),
    );
    for (const [index, each] of copies.entries()) {
      const reply = replies[index];
      if (!reply || judgeReply(world, each, reply).kind !== 'wrong') continue;
      return (await judge(world.client, world, each)).kind === 'right';
    }
  }
  return false;
}
