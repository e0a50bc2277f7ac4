/** The HTTP cases that do not use a database. */
import { type Ask, type BenchCase, type HttpRequest, queryRequest } from './case.js';
import { POINT } from '../mixes/queries.js';

/** More than the plan cache can hold. */
const PLANS_MISSED = 20_000;
const CHECKS = 20;

export const planHit: BenchCase = casePlan('plan-hit', [queryRequest('/plan', POINT.expression)]);

/** Expressions in rotation: each has been evicted from the cache when its turn comes. */
export const planMiss: BenchCase = casePlan(
  'plan-miss',
  Array.from({ length: PLANS_MISSED }, (_, index) =>
    queryRequest('/plan', `Products.filter(p=>p.id==id && p.price>=${index})`),
  ),
);

const pingRequest: HttpRequest = { method: 'GET', path: '/ping', body: '' };

export const ping: BenchCase = {
  name: 'ping',
  contestants: ['rowgate', 'before', 'uws-constant'],
  requests: [pingRequest],
  check: (ask) => expectMember(ask, pingRequest, 'message', 'pong'),
};

function casePlan(name: 'plan-hit' | 'plan-miss', requests: readonly HttpRequest[]): BenchCase {
  return {
    name,
    contestants: ['rowgate', 'before'],
    requests,
    check: async (ask) => {
      for (const request of requests.slice(0, CHECKS)) {
        await expectMember(ask, request, 'entity', 'Products');
      }
    },
  };
}

async function expectMember(ask: Ask, request: HttpRequest, name: string, expected: string) {
  const answer: Readonly<Record<string, unknown>> = Object(await ask(request));
  if (answer[name] !== expected)
    throw new Error(`${request.path} does not return ${name} ${expected}.`);
}
