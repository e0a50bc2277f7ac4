import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Outbox } from '../../../src/workers/outbox.js';

test('an answer whose writing fails leaves those before and behind it whole', async () => {
  const { port1, port2 } = new MessageChannel();
  const outbox = new Outbox(port2, () => 1);
  const text = (content: string): Uint8Array => Buffer.from(content);
  outbox.sendWhole(1, text('[1]'));
  const fail = (): void =>
    outbox.writeWhole(2, (out) => {
      out.copy(text('[{"half":'), 0, 9);
      throw new RangeError('no memory');
    });
  expect(fail).toThrow('no memory');
  outbox.sendWhole(3, text('[3]'));
  outbox.flush();
  const [replies] = await once(port1, 'message');
  expect(replies).toEqual([
    { type: 'wholes', ids: [1, 3], ends: [3, 6], bytes: new Uint8Array(text('[1][3]')), isBrief: false },
  ]);
  port1.close();
});

test('the answers of a batch leave together, and of a large one in parts', async () => {
  const { port1, port2 } = new MessageChannel();
  const outbox = new Outbox(port2, () => 100);
  const lengths: number[] = [];
  port1.on('message', (replies: readonly { readonly ids: readonly number[] }[]) => {
    lengths.push(...replies.map(({ ids }) => ids.length));
  });
  for (let id = 1; id <= 100; id += 1) outbox.writeWhole(id, (out) => out.copy(brackets, 0, 2));
  outbox.flush();
  await expect.poll(() => lengths.reduce((total, each) => total + each, 0)).toBe(100);
  expect(lengths).toEqual([64, 36]);
  port1.close();
});

const brackets = Buffer.from('[]');
