/** Cases that random tests found, on both databases, and compared with the evaluator. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseQuery } from '../../src/engine/language/parse-query.js';
import { describeMariadb } from '../support/mariadb.js';
import { codeOf, type Reply } from './drive/client.js';
import { onMariadb, onPostgresql, type Server } from './drive/database.js';
import { startWorld, type World } from './drive/world.js';
import { answerQuery } from './evaluate/answer.js';
import { fixedCases, type FixedCase } from './fixed/cases.js';
import { computedCases } from './fixed/computed.js';
import { fixedDomain, fixedTables } from './fixed/domain.js';
import { groupCases } from './fixed/groups.js';
import { fixedView, viewCases } from './fixed/view.js';
import { canonicalText, parseAnswer } from './judge/answered.js';
import { difference } from './judge/differences.js';
import { limits } from './judge/judge.js';
import { refill } from './judge/judge-write.js';
import { seenThrough } from './world/view.js';
import { isWrite } from './write/apply.js';

const plan = { domain: fixedDomain, tables: fixedTables, view: fixedView };

function suite(
  server: Server,
  answerOf: (each: FixedCase) => string = ({ answer }) => answer,
): void {
  let world: World;

  beforeAll(async () => {
    world = await startWorld(server, plan);
  });

  afterAll(() => world.stop());

  const cases = [...fixedCases, ...computedCases, ...groupCases];
  test.each(cases.map((each) => [each.query, each] as const))('%s', async (_, each) => {
    expect(await answerTo(world, each.query, each.data)).toBe(settled(answerOf(each)));
    if (each.afterwards) {
      const [query, answer] = each.afterwards;
      expect(await answerTo(world, query)).toBe(settled(answer));
    }
    if (each.csv !== undefined) {
      const body = JSON.stringify({ query: each.query });
      const { text } = await world.client.post('/execute', body, { accept: 'text/csv' });
      expect(text).toBe(each.csv);
    }
    if (isWrite(parseQuery(each.query, limits))) await refill(world, fixedTables);
  });

  test.each(viewCases)('$query $data under a view', async (each) => {
    const { query, data } = each;
    const reply = await replyTo(world, query, data, fixedView.name);
    expect(codeOf(reply) ?? settled(reply.text)).toBe(settled(answerOf(each)));
    expect(reply.text).not.toContain('secret');
    if (isWrite(parseQuery(query, limits))) await refill(world, fixedTables);
  });
}

describe('fixed cases on PostgreSQL', () => {
  suite(onPostgresql);
});

describeMariadb('fixed cases', () => {
  suite(onMariadb, ({ answer, onMariadb: other = answer }) => other);
});

describe('the evaluator', () => {
  const read = [...fixedCases, ...groupCases].filter(({ query, answer, data }) => {
    return data === undefined && answer.startsWith('[') && !isWrite(parseQuery(query, limits));
  });

  test.each(read.map((each) => [each.query, each] as const))('%s', (_, each: FixedCase) => {
    const expected = answerQuery(fixedDomain, fixedTables, parseQuery(each.query, limits), {});
    expect(difference(expected, parseAnswer(each.answer))).toBe(undefined);
  });

  const viewed = viewCases.filter(({ answer }) => answer.startsWith('['));

  test.each(viewed)('$query under a view', ({ query, answer }) => {
    const { domain, tables } = seenThrough(fixedView, plan);
    const expected = answerQuery(domain, tables, parseQuery(query, limits), {});
    expect(difference(expected, parseAnswer(answer))).toBe(undefined);
  });
});

async function answerTo(world: World, query: string, data?: string): Promise<string> {
  const reply = await replyTo(world, query, data);
  return codeOf(reply) ?? settled(reply.text);
}

function replyTo({ client }: World, query: string, data = '{}', view = 'default'): Promise<Reply> {
  return client.post('/execute', JSON.stringify({ query, data, options: { view } }));
}

/** JSON without superfluous zeros; codes are unchanged. */
function settled(text: string): string {
  return /^[[{\d]/.test(text) ? canonicalText(parseAnswer(text)) : text;
}
