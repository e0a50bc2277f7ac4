import { MessageChannel } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { chooseLink } from '../../src/gateway/dispatcher/choose-link.js';
import { WorkerLink } from '../../src/gateway/dispatcher/worker-link.js';

const links: WorkerLink[] = [];
afterAll(() => {
  for (const link of links) link.close();
});

function linkWith(inFlight: number): WorkerLink {
  const link = new WorkerLink(new MessageChannel().port1, new SharedArrayBuffer(64), {
    onReplies: () => undefined,
    end: () => undefined,
  });
  link.inFlight = inFlight;
  links.push(link);
  return link;
}

test('a new plan goes to the worker with the fewest requests in flight', () => {
  const given = [linkWith(3), linkWith(1), linkWith(2)];
  expect(chooseLink(given, undefined)).toBe(given[1]);
  expect(chooseLink([], undefined)).toBeUndefined();
});

test.each([
  { inFlight: 8, stays: true },
  { inFlight: 9, stays: false },
])('with $inFlight more in flight, a plan stays on its worker: $stays', ({ inFlight, stays }) => {
  for (const least of [0, 4]) {
    const affinity = linkWith(least + inFlight);
    const other = linkWith(least);
    const busier = linkWith(least + 2000);
    const chosen = chooseLink([busier, affinity, other], { link: affinity, isShort: false });
    expect(chosen).toBe(stays ? affinity : other);
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
      const chosen = chooseLink([first, affinity, other], { link: affinity, isShort: true });
      expect(chosen).toBe(stays ? first : other);
    }
  },
);

test('a plan whose worker has ended goes to the one with the fewest requests', () => {
  const [gone, idle, busy] = [linkWith(0), linkWith(0), linkWith(5)];
  for (const isShort of [true, false]) {
    expect(chooseLink([idle, busy], { link: gone, isShort })).toBe(idle);
    expect(chooseLink([], { link: gone, isShort })).toBeUndefined();
  }
});
