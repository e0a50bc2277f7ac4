/** Whether a read can start again elsewhere after some of its rows have arrived. */
import { expect, test } from 'vitest';
import { SingleRead } from '../../../src/workers/execute/direct-read.js';
import { WHOLE_BYTES_MAX } from '../../../src/workers/execute/spare-outputs.js';
import type { ReadHost } from '../../../src/workers/execute/read-host.js';
import { Request } from '../../../src/workers/execute/request.js';
import type { SharedConnections } from '../../../src/workers/execute/shared-connections.js';
import type { SourceReads } from '../../../src/workers/execute/source-reads.js';
import type { ReadyPlan } from '../../../src/workers/plans.js';

/** Each row is written as this. */
const written = Buffer.alloc(1000, 0x31);
const row = Buffer.alloc(6);

function startRead(host: Partial<ReadHost>, connections?: Pick<SharedConnections, 'drop'>) {
  const [open, separator, close] = ['[', ',', ']'].map((text) => Buffer.from(text));
  const frame = { open, separator, close, empty: Buffer.from('[]') };
  const writer = { frame, row: (out: { constant(bytes: Buffer): void }) => out.constant(written) };
  const root = { dialect: 'PostgreSQL', text: 'SELECT 1', arguments: [], includes: [] };
  // They have what a read needs.
  const ready = { plan: { root }, writer: () => writer } as unknown as ReadyPlan;
  const values = { texts: new Map(), variant: [], instant: '' };
  const request = new Request({ id: 1, ready, values, form: 'compact', joinedAt: 0 });
  const nothing = () => undefined;
  const reads = { host, connections, settings: { rowsMax: 0 } } as unknown as SourceReads;
  return new SingleRead(request, { reads, costMs: 0.1, onEnd: nothing, promoted: nothing });
}

test('a read starts again without the rows that have arrived', () => {
  const answers: string[] = [];
  const answer: ReadHost['answer'] = (_, out) => {
    answers.push(Buffer.from(out.bytes.subarray(0, out.length)).toString());
  };
  const read = startRead({ answer });
  read.row(row, 4);
  expect(read.restart()).toBe(true);
  read.row(row, 4);
  read.end(undefined, 1);
  expect(answers).toEqual([`[${written.toString()}]`]);
});

test('a read does not start again elsewhere once its answer is too large, and is stopped', async () => {
  const stopped: unknown[] = [];
  const read: SingleRead = startRead({}, { drop: (work) => stopped.push(work) });
  for (let size = 0; size < WHOLE_BYTES_MAX; size += written.length) read.row(row, 4);
  expect(read.restart()).toBe(false);
  await Promise.resolve();
  expect(stopped).toEqual([read]);
});

test('a read that took long keeps an answer of some megabytes', async () => {
  const stopped: unknown[] = [];
  const read: SingleRead = startRead({}, { drop: (work) => stopped.push(work) });
  read.promoted();
  for (let size = 0; size < 8 << 20; size += written.length) {
    expect(stopped).toEqual([]);
    read.row(row, 4);
  }
  await Promise.resolve();
  expect(stopped).toEqual([read]);
});
