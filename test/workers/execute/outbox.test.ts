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
    {
      type: 'wholes',
      ids: [1, 3],
      ends: [3, 6],
      bytes: new Uint8Array(text('[1][3]')),
      isBrief: false,
    },
  ]);
  port1.close();
});
