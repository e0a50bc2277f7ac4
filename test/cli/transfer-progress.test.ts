import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowCount } from '../../src/cli/count-rows.js';
import { progressText, withProgress } from '../../src/cli/transfer-progress.js';

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('the rows of a document are counted, including nested ones, whatever its strings contain', () => {
  const row = fc.record({ name: fc.string({ unit: 'binary' }), '{"': fc.string() });
  const rows = fc.array(fc.record({ name: fc.string(), parts: fc.array(row) }));
  fc.assert(
    fc.property(fc.array(rows), fc.integer({ min: 1, max: 50 }), (lists, size) => {
      const entities = lists.map((list, index) => ({ entity: `E${index}`, rows: list }));
      const bytes = Buffer.from(JSON.stringify({ entities }));
      const count = new RowCount();
      for (let at = 0; at < bytes.length; at += size) count.take(bytes.subarray(at, at + size));
      const expected = lists.flat().reduce((sum, { parts }) => sum + 1 + parts.length, 0);
      expect(count.rows).toBe(expected);
    }),
  );
});

describe('progress', () => {
  test('consists of bytes, rows, their rate, and the time left according to the bytes', () => {
    const progress = { bytes: 3_000_000, totalBytes: 4_000_000, rows: 30_000, seconds: 3 };
    expect(progressText(progress)).toBe(
      '3,000,000 of 4,000,000 bytes (75 %), 30,000 rows, 10,000 rows/s, 1 s left',
    );
    expect(progressText({ bytes: 0, totalBytes: 0, rows: 0, seconds: 0 })).toBe(
      '0 of 0 bytes (100 %), 0 rows',
    );
    expect(progressText({ ...progress, totalBytes: undefined })).toBe(
      '3,000,000 bytes, 30,000 rows, 10,000 rows/s',
    );
  });

  test('ends with everything that was sent, and passes every byte on', async () => {
    const text = '{"entities":[{"entity":"A","rows":[{"a":1},{"a":2}]}]}';
    const written: string[] = [];
    const options = { totalBytes: text.length, ending: '; storing', isTerminal: false };
    const passed: Uint8Array[] = [];
    const body = withProgress(pieces(text, 7), { ...options, write: (line) => written.push(line) });
    for await (const piece of body) passed.push(piece);
    expect(Buffer.concat(passed).toString()).toBe(text);
    expect(written.at(-1)).toMatch(/^54 of 54 bytes \(100 %\), 2 rows, .*; storing\n$/);
  });
});
