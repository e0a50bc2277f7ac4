import { describe, expect, test } from 'vitest';
import { progressText, withProgress } from '../../src/cli/transfer-progress.js';

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('progress', () => {
  test('consists of bytes, their share, and the time left according to the bytes', () => {
    const progress = { bytes: 3_000_000, totalBytes: 4_000_000, seconds: 3 };
    expect(progressText(progress)).toBe('3,000,000 of 4,000,000 bytes (75 %), 1 s left');
    expect(progressText({ bytes: 0, totalBytes: 0, seconds: 0 })).toBe('0 of 0 bytes (100 %)');
    expect(progressText({ ...progress, totalBytes: undefined })).toBe('3,000,000 bytes');
  });

  test('ends with everything that was sent, and passes every byte on', async () => {
    const text = '{"entities":[{"entity":"A","rows":[{"a":1},{"a":2}]}]}';
    const written: string[] = [];
    const options = { totalBytes: text.length, ending: '; storing', columns: undefined };
    const passed: Uint8Array[] = [];
    const body = withProgress(pieces(text, 7), { ...options, write: (line) => written.push(line) });
    for await (const piece of body) passed.push(piece);
    expect(Buffer.concat(passed).toString()).toBe(text);
    expect(written.at(-1)).toBe('54 of 54 bytes (100 %); storing\n');
  });

  test('is shorter than a line of the terminal, which could not be replaced if it wrapped', async () => {
    const written: string[] = [];
    const options = { totalBytes: 10, columns: () => 20 };
    const body = withProgress(pieces('0123456789', 5), {
      ...options,
      write: (line) => written.push(line),
    });
    for await (const piece of body) expect(piece).toHaveLength(5);
    expect(written).toEqual(['\r10 of 10 bytes (100\u001b[K', '\n']);
  });
});
