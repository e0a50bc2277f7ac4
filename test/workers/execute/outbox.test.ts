import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Outbox } from '../../../src/workers/execute/outbox.js';

test('answers of a turn are sent as one piece, in order', async () => {
  const { port1, port2 } = new MessageChannel();
  const outbox = new Outbox(port2);
  const text = (content: string): Uint8Array => Buffer.from(content);
  outbox.sendWhole(1, text('[1]'));
  outbox.sendWhole(3, text('[3]'));
  outbox.flush();
  const [replies] = await once(port1, 'message');
  expect(replies).toEqual([
    {
      type: 'answers',
      ids: [1, 3],
      ends: [3, 6],
      bytes: new Uint8Array(text('[1][3]')),
    },
  ]);
  port1.close();
});
