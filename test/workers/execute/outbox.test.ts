import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OutputBytes } from '../../../src/engine/index.js';
import { AnswerMemory } from '../../../src/workers/execute/answer-memory.js';
import { Outbox } from '../../../src/workers/execute/outbox.js';

function start(memoryBytes: number) {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const memory = new SharedArrayBuffer(memoryBytes);
  const outbox = new Outbox(port2, new AnswerMemory(memory), true);
  return { port1, memory, outbox };
}

test('answers of one event-loop iteration are sent as one piece, in order', async () => {
  const { port1, memory, outbox } = start(1024);
  outbox.sendWhole(1, Buffer.from('[1]'), 1);
  outbox.sendWhole(3, Buffer.from('[3]'), 5);
  outbox.flush();
  const [[reply]] = await once(port1, 'message');
  expect(reply).toMatchObject({ type: 'answers', ids: [1, 3], ends: [3, 6], rows: [1, 5] });
  expect(Buffer.from(memory, reply.bytes, 6).toString()).toBe('[1][3]');
});

test('answers that find no room in the memory travel in a buffer of their own', async () => {
  const { port1, outbox } = start(68);
  outbox.sendWhole(1, Buffer.from('[1,2]'), 2);
  outbox.flush();
  const [replies] = await once(port1, 'message');
  const bytes = new Uint8Array(Buffer.from('[1,2]'));
  expect(replies).toEqual([{ type: 'answers', ids: [1], ends: [5], bytes, rows: [2] }]);
});

describe('the memory of answers', () => {
  const FIRST = 64;
  const ROOM = 100;

  function createMemory(counted = 0) {
    const memory = new SharedArrayBuffer(FIRST + ROOM);
    const counter = new Int32Array(memory, 0, 1);
    counter[0] = counted;
    const answers = new AnswerMemory(memory);
    const put = (length: number): number | undefined => {
      const output = new OutputBytes(length);
      output.length = length;
      return answers.put(output);
    };
    const release = (count = 1) => Atomics.add(counter, 0, count);
    return { memory, put, release };
  }

  test('is filled from its beginning, and never over answers that are in use', () => {
    const { put, release } = createMemory();
    expect([put(40), put(40), put(40)]).toEqual([FIRST, FIRST + 40, undefined]);
    release();
    // The answer must end before the oldest one begins.
    expect(put(40)).toBeUndefined();
    expect(put(30)).toBe(FIRST);
    expect(put(30)).toBeUndefined();
    release();
    expect(put(70)).toBe(FIRST + 30);
    release(2);
    expect(put(ROOM)).toBe(FIRST);
    expect(put(1)).toBeUndefined();
  });

  test('begins again at its beginning when nothing is in use', () => {
    const { put, release } = createMemory();
    expect(put(60)).toBe(FIRST);
    release();
    expect(put(60)).toBe(FIRST);
    release();
    expect(put(ROOM + 1)).toBeUndefined();
  });

  test('works when the counter of released answers overflows', () => {
    const { put, release } = createMemory(2 ** 31 - 5);
    for (let round = 0; round < 10; round += 1) {
      expect(put(ROOM)).toBe(FIRST);
      expect(put(1)).toBeUndefined();
      release();
    }
  });
});
