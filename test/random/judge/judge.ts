/** Whether the program answers a query as it should. */
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { type Client, codeOf, type Reply, told } from '../drive/client.js';
import type { WorldPlan } from '../drive/world.js';
import { answerQuery } from '../evaluate/answer.js';
import { tooLarge } from '../evaluate/decimal.js';
import { type Data, jsonOfData } from '../evaluate/data.js';
import type { ExpectedRows } from '../evaluate/expected.js';
import { Unsure } from '../evaluate/unsure.js';
import { parseAnswer } from './answered.js';
import { difference, shown } from './differences.js';

/** A query that reads, and its data. */
export interface Question {
  readonly text: string;
  readonly data: Data;
}

export type Verdict =
  | { readonly kind: 'right' | 'unsure' }
  | {
      readonly kind: 'wrong';
      /** What is wrong, for people. */
      readonly fault: string;
      /** What faults of one kind have in common. */
      readonly sort: string;
      readonly expected: string;
      readonly found: string;
    };

export const limits = { expressionLengthMax: 65_536, nestingMax: 64 };

/** The body of a request. */
export function bodyOf({ text, data }: Question): string {
  return `{"query": ${JSON.stringify(text)}, "data": ${JSON.stringify(jsonOfData(data))}}`;
}

/** Asks, and judges the answer. */
export async function judge(client: Client, plan: WorldPlan, question: Question): Promise<Verdict> {
  const reply = await client.post('/execute', bodyOf(question));
  return judgeReply(plan, question, reply);
}

/** What may be answered; undefined where that is left open. */
function expectedOf(
  { domain, tables }: WorldPlan,
  { text, data }: Question,
): ExpectedRows | undefined {
  try {
    return answerQuery(domain, tables, parseQuery(text, limits), data);
  } catch (error) {
    if (error instanceof Unsure) return undefined;
    throw error;
  }
}

/** Judges an answer of `/execute`. */
export function judgeReply(plan: WorldPlan, question: Question, reply: Reply): Verdict {
  const before = tooLarge.count;
  const expected = expectedOf(plan, question);
  const isLarge = tooLarge.count > before || mayOverflow(plan, question);
  if (!expected || (isLarge && codeOf(reply) === 'value-out-of-range')) {
    return judgeUnsure(reply);
  }
  const found = reply.text.length > 2000 ? `${reply.text.slice(0, 2000)}…` : reply.text;
  if (reply.status !== 200) {
    return {
      kind: 'wrong',
      fault: told(reply),
      sort: sortOf(reply),
      expected: shown(expected),
      found,
    };
  }
  const fault = difference(expected, parseAnswer(reply.text));
  if (fault === undefined) return { kind: 'right' };
  return { kind: 'wrong', fault, sort: 'differs', expected: shown(expected), found };
}

/** Functions that make integers of other numbers. */
const wholeNumbers = ['toInteger', 'ceil', 'floor', 'round', 'trunc'];

/** An aggregate is computed of all rows, also where the choice around it falls on something else. */
const chosenAggregate =
  /(\?|&&|\|\||nvl).*\b(sum|avg|min|max|count)\(.*(\*\*|power|exp|cosh|sinh)/s;

/** Databases may compute with doubles and decimals of rows that are not answered, and those may be too large. */
function mayOverflow({ domain }: WorldPlan, { text }: Question): boolean {
  const words = new Set(text.match(/\w+/g) ?? []);
  if (wholeNumbers.some((name) => words.has(name)) || chosenAggregate.test(text)) return true;
  return domain.entities.some(({ properties }) =>
    properties.some(({ name, type }) => type === 'number' && words.has(name)),
  );
}

/** Where the answer is left open, it is one, or says that a number is too large for it, or is cut for that. */
function judgeUnsure(reply: Reply): Verdict {
  const code = codeOf(reply);
  if ([0, 200].includes(reply.status) || code === 'value-out-of-range') return { kind: 'unsure' };
  return {
    kind: 'wrong',
    fault: told(reply),
    sort: sortOf(reply),
    expected: 'an answer, or value-out-of-range',
    found: reply.text,
  };
}

/** What is told without the names and numbers in it. */
function sortOf(reply: Reply): string {
  return told(reply).replaceAll(/'[^']*'/g, '…');
}
