import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { WorkerLink } from '../../src/gateway/dispatcher/worker-link.js';
import type { WorkerReply } from '../../src/workers/protocol.js';

const ANSWERS_MAX = 32;

/** What a link passes on, in the order in which it does. */
async function start() {
  const passed: (number | string)[] = [];
  const { port1, port2 } = new MessageChannel();
  const link = new WorkerLink(port1, new SharedArrayBuffer(64), {
    onReply: (reply, from, to) => {
      if (reply.type === 'answers') passed.push(...reply.ids.slice(from, to));
      else passed.push(reply.type);
    },
    end: () => undefined,
  });
  onTestFinished(() => link.close());
  /** Resolves when the first of the messages has arrived; each is a list of replies. */
  const send = async (...messages: (readonly WorkerReply[])[]): Promise<void> => {
    const arrived = once(port1, 'message');
    for (const replies of messages) port2.postMessage(replies);
    await arrived;
  };
  return { link, passed, send, port2 };
}

function answers(first: number, count: number): WorkerReply {
  const ids = idsFrom(first, count);
  return { type: 'answers', ids, ends: ids, bytes: new Uint8Array(0), rows: undefined };
}

function idsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

test('a few replies are passed on at once', async () => {
  const { passed, send } = await start();
  await send([{ type: 'hello' }, answers(1, 3), { type: 'hello' }]);
  expect(passed).toEqual(['hello', 1, 2, 3, 'hello']);
});

test('each iteration of the event loop passes on a part of many answers', async () => {
  const { passed, send } = await start();
  await send([answers(1, 2 * ANSWERS_MAX + 8), { type: 'hello' }]);
  const lengths = [passed.length];
  for (let turns = 0; turns < 4; turns += 1) {
    await turn();
    lengths.push(passed.length);
  }
  const most = Math.max(...lengths.map((length, index) => length - (lengths[index - 1] ?? 0)));
  expect(most).toBe(ANSWERS_MAX);
  expect(passed).toEqual([...idsFrom(1, 2 * ANSWERS_MAX + 8), 'hello']);
});

test('what a worker sent before it ended is passed on, although the event loop has not received it', async () => {
  const { link, passed, send, port2 } = await start();
  await send([answers(1, ANSWERS_MAX + 2)]);
  port2.postMessage([answers(ANSWERS_MAX + 3, 2)]);
  port2.postMessage([{ type: 'hello' }]);
  port2.close();
  link.receiveRest();
  link.passOnAll();
  expect(passed).toEqual([...idsFrom(1, ANSWERS_MAX + 4), 'hello']);
  await turn();
  link.receiveRest();
});

test('messages that arrive together are passed on in parts, and in order', async () => {
  const { passed, send } = await start();
  await send([answers(1, 20)], [answers(21, 20), { type: 'hello' }], [answers(41, 20)]);
  expect(passed.length).toBeLessThanOrEqual(ANSWERS_MAX);
  await expect.poll(() => passed).toHaveLength(61);
  expect(passed).toEqual([...idsFrom(1, 40), 'hello', ...idsFrom(41, 20)]);
});

test('of very many replies, each iteration passes on a quarter', async () => {
  const { passed, send } = await start();
  await send(Array.from({ length: 4000 }, (): WorkerReply => ({ type: 'hello' })));
  expect(passed).toHaveLength(1000);
  await turn();
  expect(passed).toHaveLength(1750);
  await expect.poll(() => passed).toHaveLength(4000);
});

test('everything that was received can be passed on at once', async () => {
  const { link, passed, send } = await start();
  await send([answers(1, 5 * ANSWERS_MAX)]);
  expect(passed).toHaveLength(ANSWERS_MAX);
  link.passOnAll();
  expect(passed).toEqual(idsFrom(1, 5 * ANSWERS_MAX));
});
