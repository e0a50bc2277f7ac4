import { expect, test } from 'vitest';
import { OutputBytes, RowBytes } from '../../../src/engine/index.js';
import { Member } from '../../../src/workers/lanes/member.js';
import { answerRows } from '../../../src/workers/lanes/run-batch.js';
import { readyPlan } from './ready-plan.js';

test('the answers of a batch leave together, and of a large one in parts', () => {
  const sent: (readonly [count: number, isBrief: boolean])[] = [];
  const out = new OutputBytes(1024);
  let written = 0;
  const host = {
    answer: (_: Member, write: (bytes: OutputBytes) => void) => {
      write(out);
      written += 1;
    },
    send: (isBrief: boolean) => {
      sent.push([written, isBrief]);
      written = 0;
    },
    answerAll: () => expect.unreachable(),
    failed: () => expect.unreachable(),
    runAlone: () => expect.unreachable(),
  };
  const values = { texts: new Map(), variant: [], instant: undefined };
  const groups = Array.from({ length: 150 }, (_, id) => [new Member(id, values, 'compact', 0)]);
  const batch = { statement: { text: '', parameters: [] }, groups, dealer: () => () => 0 };
  const fetched = { rows: new RowBytes(), inclusions: [] };
  for (const isBrief of [true, false]) {
    sent.length = 0;
    const order = { ready: readyPlan(), shape: undefined, members: groups.flat(), rowsMax: 0 };
    expect(answerRows({ ...order, host, isBrief }, batch, fetched)).toBe(false);
    expect(sent).toEqual([
      [64, isBrief],
      [64, isBrief],
      [22, isBrief],
    ]);
  }
  expect(Buffer.from(out.take()).toString()).toBe('[]'.repeat(300));
});
