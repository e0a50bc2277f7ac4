import { on } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { NEW_WRITE } from '../../src/gateway/dispatcher/choose-link.js';
import { PlanStates } from '../../src/gateway/dispatcher/plan-states.js';
import { WorkerLink } from '../../src/gateway/dispatcher/worker-link.js';
import type { WorkerRequest } from '../../src/workers/protocol.js';

const links: WorkerLink[] = [];
afterAll(() => {
  for (const link of links) link.close();
});

interface Worker {
  readonly link: WorkerLink;
  readonly port: MessagePort;
}

function newWorker(): Worker {
  const { port1, port2 } = new MessageChannel();
  const options = { onReply: () => undefined, end: () => undefined };
  const link = new WorkerLink(port1, new SharedArrayBuffer(64), options);
  link.knownPlans.add(1);
  links.push(link);
  return { link, port: port2 };
}

/** The messages that the worker has received. */
async function receivedBy({ link, port }: Worker): Promise<readonly unknown[]> {
  link.post(hello);
  const received: WorkerRequest[] = [];
  for await (const [messages] of on(port, 'message')) {
    received.push(...messages);
    if (received.at(-1)?.type === 'hello') break;
  }
  return received.slice(0, -1);
}

const short = { type: 'short', planId: 1 };
const hello = { type: 'hello' } as const;

test('a worker that begins to run a plan learns that it is short, at most every fifth of a second', async () => {
  const [one, other] = [newWorker(), newWorker()];
  const plans = new PlanStates(100);
  plans.sent(1, one.link);
  plans.sent(1, other.link);
  expect(await receivedBy(other)).toEqual([]);
  plans.estimated({ type: 'estimate', planId: 1, isShort: true }, other.link, []);
  plans.sent(1, one.link);
  plans.sent(1, one.link);
  plans.sent(1, other.link);
  plans.sent(1, one.link);
  expect(await receivedBy(one)).toEqual([short]);
  expect(await receivedBy(other)).toEqual([]);
});

test('the others learn that a plan is short as soon as a worker has measured it', async () => {
  const all = [newWorker(), newWorker(), newWorker()] as const;
  const [one, other, without] = all;
  without.link.knownPlans.clear();
  const plans = new PlanStates(100);
  plans.sent(1, one.link);
  const workers = all.map(({ link }) => link);
  plans.estimated({ type: 'estimate', planId: 1, isShort: false }, one.link, workers);
  expect(await receivedBy(other)).toEqual([]);
  plans.estimated({ type: 'estimate', planId: 1, isShort: true }, one.link, workers);
  expect(plans.get(1)?.isShort).toBe(true);
  expect(await receivedBy(one)).toEqual([]);
  expect(await receivedBy(other)).toEqual([short]);
  expect(await receivedBy(without)).toEqual([]);
});

test('a plan is short as long as a worker has measured that', () => {
  const [one, other] = [newWorker().link, newWorker().link];
  const plans = new PlanStates(100);
  plans.sent(1, one);
  expect(plans.get(1)?.isShort).toBeUndefined();
  plans.sent(2, one, NEW_WRITE);
  plans.sent(2, other, NEW_WRITE);
  expect(plans.get(2)?.isShort).toBe(true);
  const report = (link: WorkerLink, isShort: boolean): boolean | undefined => {
    plans.estimated({ type: 'estimate', planId: 1, isShort }, link, []);
    return plans.get(1)?.isShort;
  };
  expect(report(one, true)).toBe(true);
  expect(report(other, true)).toBe(true);
  expect(report(one, false)).toBe(true);
  expect(report(other, false)).toBe(false);
  expect(report(one, true)).toBe(true);
  plans.lost(other);
  expect(plans.get(1)?.isShort).toBe(true);
  plans.lost(one);
  expect(plans.get(1)?.isShort).toBe(false);
});

test('a worker that has ended is forgotten, also as the one that ran a plan last', () => {
  const [one, other] = [newWorker().link, newWorker().link];
  const plans = new PlanStates(100);
  plans.sent(1, one);
  plans.sent(2, other);
  plans.lost(one);
  expect(plans.get(1)?.link).toBeUndefined();
  expect(plans.get(2)?.link).toBe(other);
});
