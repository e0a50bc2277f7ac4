/** Judges whether the program answers a query correctly. */
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { type Client, codeOf, type Reply, describeReply } from '../drive/client.js';
import type { WorldPlan } from '../drive/world.js';
import { answerQuery } from '../evaluate/answer.js';
import { tooLarge } from '../evaluate/decimal.js';
import { type Data, jsonOfData } from '../evaluate/data.js';
import type { ExpectedRows } from '../evaluate/expected.js';
import { Unsure } from '../evaluate/unsure.js';
import { parseAnswer } from './answered.js';
import { difference, shown } from './differences.js';

/** A reading query and its data. */
export interface Question {
  readonly text: string;
  readonly data: Data;
}

export type Verdict =
  | { readonly kind: 'right' | 'unsure' }
  | {
      readonly kind: 'wrong';
      /** What is wrong, in words. */
      readonly fault: string;
      /** What bugs of one kind have in common. */
      readonly sort: string;
      readonly expected: string;
      readonly found: string;
    };

export const limits = { expressionLengthMax: 65_536, nestingMax: 64 };

/** The body of a request, under a view if one is named. */
export function bodyOf({ text, data }: Question, view?: string): string {
  const options = view === undefined ? '' : `, "options": {"view": ${JSON.stringify(view)}}`;
  return `{"query": ${JSON.stringify(text)}, "data": ${JSON.stringify(jsonOfData(data))}${options}}`;
}

/** Sends a question, and judges the answer. */
export async function judge(client: Client, plan: WorldPlan, question: Question): Promise<Verdict> {
  const reply = await client.post('/execute', bodyOf(question));
  return judgeReply(plan, question, reply);
}

/** The possible answers; undefined if the language does not define them. */
export function expectedOf(
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

/** Whether it is refused because its entities are in two databases. */
export function needsTwoSources({ split }: WorldPlan, reply: Reply): boolean {
  return (
    split !== undefined &&
    /reads only one source|but it uses several|a delete cannot include it/.test(reply.text)
  );
}

/** Judges an answer of `/execute`. */
export function judgeReply(plan: WorldPlan, question: Question, reply: Reply): Verdict {
  if (needsTwoSources(plan, reply)) return { kind: 'unsure' };
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
      fault: describeReply(reply),
      sort: sortOf(reply),
      expected: shown(expected),
      found,
    };
  }
  const fault = difference(expected, parseAnswer(reply.text));
  if (fault === undefined) return { kind: 'right' };
  return { kind: 'wrong', fault, sort: 'differs', expected: shown(expected), found };
}

/** Functions that convert other numbers to integers. */
const wholeNumbers = ['toInteger', 'ceil', 'floor', 'round', 'trunc'];

/** An aggregate over all rows is computed even if a surrounding choice does not use it. */
const chosenAggregate =
  /(\?|&&|\|\||nvl).*\b(sum|avg|min|max|count)\(.*(\*\*|power|exp|cosh|sinh)/s;

/** A number in the data that has more digits than MariaDB's decimals. */
const wideNumber = /\d{36}|e\+?(3[5-9]|[4-9]\d|\d{3})/i;

/**
 * Databases may compute with large numbers of rows that are not answered, and these values may
 * be too large. MariaDB refuses large numbers of the data even if they are not used.
 */
export function mayOverflow({ domain }: WorldPlan, { text, data }: Question): boolean {
  if (wideNumber.test(jsonOfData(data))) return true;
  const words = new Set(text.match(/\w+/g) ?? []);
  if (wholeNumbers.some((name) => words.has(name)) || chosenAggregate.test(text)) return true;
  return domain.entities.some(({ properties }) =>
    properties.some(({ name, type, isLong }) => {
      return (type === 'number' || type === 'number[]' || isLong) && words.has(name);
    }),
  );
}

/**
 * If the answer is not defined, any answer is accepted, and so is a refusal of a number that is too
 * large, even in the middle of the answer.
 */
function judgeUnsure(reply: Reply): Verdict {
  const code = codeOf(reply);
  if ([0, 200].includes(reply.status) || code === 'value-out-of-range') return { kind: 'unsure' };
  return {
    kind: 'wrong',
    fault: describeReply(reply),
    sort: sortOf(reply),
    expected: 'an answer, or value-out-of-range',
    found: reply.text,
  };
}

/** The problem without its names and numbers. */
function sortOf(reply: Reply): string {
  return describeReply(reply).replaceAll(/'[^']*'/g, '…');
}
