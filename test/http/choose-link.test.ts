import { MessageChannel } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import {
  chooseLink,
  countShared,
  NEW_PLAN,
  NEW_WRITE,
} from '../../src/gateway/dispatcher/choose-link.js';
import { WorkerLink } from '../../src/gateway/dispatcher/worker-link.js';

const links: WorkerLink[] = [];
afterAll(() => {
  for (const link of links) link.close();
});

function linkWith(inFlight: number, load = 0): WorkerLink {
  const link = new WorkerLink(new MessageChannel().port1, new SharedArrayBuffer(64), {
    onReply: () => undefined,
    end: () => undefined,
  });
  link.inFlight = inFlight;
  link.load = load;
  links.push(link);
  return link;
}

test('a request without a plan goes to the worker with the fewest requests in flight', () => {
  const given = [linkWith(3), linkWith(1), linkWith(2)];
  expect(chooseLink(given, undefined, 1)).toBe(given[1]);
  expect(chooseLink([], undefined, 1)).toBeUndefined();
});

test('a new plan goes to one of the workers that run short plans', () => {
  const given = [linkWith(3), linkWith(4), linkWith(2)];
  expect(chooseLink(given, NEW_PLAN, 1)).toBe(given[0]);
  expect(chooseLink(given, NEW_PLAN, 2)).toBe(given[0]);
  expect(chooseLink(given, NEW_PLAN, 3)).toBe(given[2]);
  expect(chooseLink([], NEW_PLAN, 1)).toBeUndefined();
});

test.each([
  ['one has run for long', [50]],
  ['there are several', [0, 0, 0, 0]],
])('a new plan avoids workers with new plans that are not answered: %s', (_, runFor) => {
  const given = [linkWith(0), linkWith(3), linkWith(2)];
  const now = performance.now();
  const begin = (link: WorkerLink | undefined): void => {
    for (const [planId, ms] of runFor.entries()) link?.newPlans.set(planId, now - ms);
  };
  begin(given[0]);
  expect(chooseLink(given, NEW_PLAN, 1)).toBe(given[2]);
  expect(chooseLink(given, NEW_WRITE, 1)).toBe(given[0]);
  expect(chooseLink(given, { link: given[0], isShort: undefined }, 1)).toBe(given[0]);
  begin(given[1]);
  begin(given[2]);
  expect(chooseLink(given, NEW_PLAN, 1)).toBe(given[0]);
});

test('a new plan goes to the usual worker beside a few that have just begun', () => {
  const given = [linkWith(1), linkWith(0)];
  for (const planId of [1, 2, 3]) given[0]?.newPlans.set(planId, performance.now());
  expect(chooseLink(given, NEW_PLAN, 1)).toBe(given[0]);
});

test.each([
  { inFlight: 8, stays: true },
  { inFlight: 9, stays: false },
])('with $inFlight more in flight, a plan stays on its worker: $stays', ({ inFlight, stays }) => {
  for (const least of [0, 4]) {
    const affinity = linkWith(least + inFlight);
    const other = linkWith(least);
    const busier = linkWith(least + 2000);
    const given = [busier, affinity, other];
    expect(chooseLink(given, { link: affinity, isShort: false }, 1)).toBe(stays ? affinity : other);
    const all = chooseLink(given, { link: affinity, isShort: true }, given.length);
    expect(all).toBe(stays ? affinity : other);
  }
});

test.each([
  { inFlight: 512, stays: true },
  { inFlight: 513, stays: false },
])(
  'with $inFlight more in flight, short plans stay together on the first worker: $stays',
  (each) => {
    const { inFlight, stays } = each;
    for (const least of [0, 4]) {
      const first = linkWith(least + inFlight);
      const other = linkWith(least);
      const affinity = linkWith(least + 1);
      const chosen = chooseLink([first, affinity, other], { link: affinity, isShort: true }, 1);
      expect(chosen).toBe(stays ? first : other);
    }
  },
);

test('a plan whose worker has ended goes to the one with the fewest requests', () => {
  const [gone, idle, busy] = [linkWith(0), linkWith(0), linkWith(5)];
  for (const isShort of [true, false]) {
    expect(chooseLink([idle, busy], { link: gone, isShort }, 2)).toBe(idle);
    expect(chooseLink([], { link: gone, isShort }, 1)).toBeUndefined();
  }
});

test('short plans use one more worker when those that they use are busy, and one less when these are idle', () => {
  const loads = (...each: number[]): WorkerLink[] => each.map((load) => linkWith(0, load));
  expect(countShared(loads(0.8, 0, 0), 1)).toBe(1);
  expect(countShared(loads(0.9, 0, 0), 1)).toBe(2);
  expect(countShared(loads(0.5, 0.4, 0), 2)).toBe(2);
  expect(countShared(loads(0.9, 0.9, 0), 2)).toBe(3);
  expect(countShared(loads(0.3, 0.2, 0), 2)).toBe(1);
  // Their connections have more work than they should.
  expect(countShared(loads(2, 0), 1)).toBe(2);
  expect(countShared(loads(1, 1, 0), 2)).toBe(3);
  expect(countShared(loads(1, 1), 2)).toBe(2);
  // Other work keeps them busy.
  expect(countShared(loads(0.2, 1, 1), 1)).toBe(1);
});

test('short plans use at least one worker, and no more than there are', () => {
  expect(countShared([], 1)).toBe(1);
  expect(countShared([linkWith(0, 1)], 1)).toBe(1);
  expect(countShared([linkWith(0, 0.8)], 3)).toBe(1);
  expect(countShared([linkWith(0, 1), linkWith(0, 1)], 2)).toBe(2);
});
