import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { ReplyQueue } from '../../src/gateway/dispatcher/reply-queue.js';
import { WorkerLink } from '../../src/gateway/dispatcher/worker-link.js';
import type { WorkerReply } from '../../src/workers/protocol.js';

const SHARE = 32;

function start() {
  const passed: (number | string)[] = [];
  const queue = new ReplyQueue({
    answered: (_, { ids }, from, to) => passed.push(...ids.slice(from, to)),
    replied: (_, { type }) => passed.push(type),
  });
  const link = new WorkerLink(new MessageChannel().port1, new SharedArrayBuffer(64), {
    onReplies: () => undefined,
    end: () => undefined,
  });
  onTestFinished(() => link.close());
  return { passed, add: (...replies: WorkerReply[]) => queue.add(link, replies), queue };
}

function answers(first: number, count: number): WorkerReply {
  const ids = Array.from({ length: count }, (_, index) => first + index);
  const bytes = new Uint8Array(0);
  return { type: 'answers', ids, ends: ids, bytes, rows: undefined };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('a small message is passed on at once', () => {
  const { passed, add } = start();
  add({ type: 'hello' }, answers(1, 3), { type: 'hello' });
  expect(passed).toEqual(['hello', 1, 2, 3, 'hello']);
});

test('a large message is passed on in shares, and later ones follow it in order', async () => {
  const { passed, add } = start();
  add(answers(1, SHARE + 8));
  expect(passed).toHaveLength(SHARE);
  add({ type: 'hello' }, answers(100, SHARE));
  expect(passed).toHaveLength(SHARE);
  await turn();
  expect(passed).toHaveLength(2 * SHARE);
  await turn();
  const all = [...answersOf(1, SHARE + 8), 'hello', ...answersOf(100, SHARE)];
  expect(passed).toEqual(all);
});

test('several messages of one iteration of the event loop share its limit', async () => {
  const { passed, add } = start();
  for (let first = 0; first < 4 * SHARE; first += SHARE / 2) add(answers(first, SHARE / 2));
  expect(passed.length).toBeLessThan(2 * SHARE);
  for (let turns = 0; turns < 4; turns += 1) await turn();
  expect(passed).toEqual(answersOf(0, 4 * SHARE));
});

test('flushing passes on what waits', () => {
  const { passed, add, queue } = start();
  add(answers(1, 5 * SHARE));
  queue.flush();
  expect(passed).toEqual(answersOf(1, 5 * SHARE));
});

function answersOf(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
