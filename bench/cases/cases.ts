/** The cases over HTTP that ask no database. */
import { type Ask, type BenchCase, type HttpRequest, queryRequest } from './case.js';
import { POINT } from '../mixes/queries.js';

/** More than the cache of plans has places. */
const PLANS_MISSED = 20_000;
const CHECKS = 20;

export const planHit: BenchCase = casePlan('plan-hit', [queryRequest('/plan', POINT.expression)]);

/** Expressions in turn: the one asked for has always just left the cache. */
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
  if (answer[name] !== expected) throw new Error(`${request.path} answers no ${name} ${expected}.`);
}
