/** Each query of a list gets the same answer as alone, as an element of the list and as a line of NDJSON. */
import { codeOf, type Reply } from '../drive/client.js';
import { jsonOfData } from '../evaluate/data.js';
import { makeData } from '../generate/data.js';
import { makeQuery } from '../generate/query.js';
import { type Answered, isObject, parseAnswer, unorderedText } from '../judge/answered.js';
import { bodyOf, type Question } from '../judge/judge.js';
import { leavesRowsOpen } from '../judge/open-rows.js';
import type { Step } from './round.js';

const QUERIES_MAX = 40;
/** The part of the queries that repeat an earlier one. */
const REPEATED = 0.4;
/** The part of the queries that do not parse. */
const BROKEN = 0.05;

/** Sends queries one by one, then as a list in each format. */
export async function checkList(step: Step): Promise<void> {
  const { world, report, server, seed } = step;
  const questions = questionsOf(step);
  const alone: string[] = [];
  for (const question of questions) {
    alone.push(textOf(await world.client.post('/execute', bodyOf(question))));
  }
  const body = `[${questions.map((each) => bodyOf(each)).join(',')}]`;
  const lines = { accept: 'application/x-ndjson' };
  const formats = [
    ['JSON', elements(await world.client.post('/execute', body))],
    ['indented', elements(await world.client.post('/execute?format=beautiful', body))],
    ['NDJSON', linesOf(await world.client.post('/execute', body, lines))],
  ] as const;
  report.count('queries of lists', questions.length);
  for (const [format, answers] of formats) {
    const at = questions.findIndex((_, index) => isOther(alone[index], answers[index]));
    const wrong = questions[at];
    if (!wrong && answers.length === questions.length) continue;
    report.fail({
      kind: `list as ${format}`,
      text: [
        `A query of a list of ${questions.length} gets a different answer than alone.`,
        `query     ${wrong?.text}`,
        `data      ${wrong && jsonOfData(wrong.data)}`,
        `alone     ${(alone[at] ?? '').slice(0, 500)}`,
        `as ${format} ${(answers[at] ?? '').slice(0, 500)}`,
        `on        ${server.dialect}, seed ${seed}`,
      ].join('\n'),
    });
  }
}

function questionsOf({ random, world: { domain } }: Step): readonly Question[] {
  const questions: Question[] = [];
  const count = 1 + random.below(QUERIES_MAX);
  while (questions.length < count) {
    const { text, parameters } = makeQuery(random, domain);
    if (leavesRowsOpen(domain, text)) continue;
    const data = makeData(random, parameters);
    const isRepeated = questions.length > 0 && random.chance(REPEATED);
    const made = { text: random.chance(BROKEN) ? `${text}.` : text, data };
    questions.push(isRepeated ? random.pick(questions) : made);
  }
  return questions;
}

/** The rows in a canonical order; for a refusal, its code. */
function textOf(reply: Reply): string {
  return reply.status === 200 ? unorderedText(parseAnswer(reply.text)) : String(codeOf(reply));
}

function elements(reply: Reply): readonly string[] {
  const answer = reply.status === 200 ? parseAnswer(reply.text) : undefined;
  return Array.isArray(answer) ? answer.map(answerText) : [textOf(reply)];
}

function linesOf(reply: Reply): readonly string[] {
  const answers: string[] = [];
  for (const line of reply.text.split('\n').filter(Boolean)) {
    const answer = parseAnswer(line);
    if (!isObject(answer)) continue;
    answers[Number(String(answer['index']))] = answerText(answer['result'] ?? answer['problem']);
  }
  return answers;
}

function answerText(answer: Answered | undefined): string {
  if (answer === undefined) return 'nothing';
  if (isObject(answer) && typeof answer['code'] === 'string') return answer['code'];
  return unorderedText(answer);
}

/** A number that is too large fails only where it is evaluated, which may be for rows that there are. */
function isOther(alone = '', listed = ''): boolean {
  return alone !== listed && alone !== 'value-out-of-range' && listed !== 'value-out-of-range';
}
