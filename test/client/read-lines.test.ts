/** Lines of NDJSON, as the client and the console read them. */
import { expect, test } from 'vitest';
import { readLines } from '../../clients/typescript/src/read-lines.js';
import { readLines as readLists } from '../../src/console/query/read-lines.js';

const readers = {
  client: (body: ReadableStream<Uint8Array<ArrayBuffer>>) => readLines(body),
  async *console(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    for await (const lines of readLists(new Response(body))) yield* lines;
  },
};

function bodyOf(text: string, chunkBytes: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + chunkBytes));
      at += chunkBytes;
    },
  });
}

async function linesOf(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const line of lines) found.push(line);
  return found;
}

test.each(['client', 'console'] as const)(
  'the %s reads lines in chunks of any size',
  async (reader) => {
    const lines = ['{"a":1}', '"ü – 料理"', '[]', 'last'];
    for (const chunkBytes of [1, 2, 7, 9, 100]) {
      for (const end of ['', '\n']) {
        const body = bodyOf(lines.join('\n') + end, chunkBytes);
        expect(await linesOf(readers[reader](body))).toEqual(lines);
      }
    }
  },
);

test.each(['client', 'console'] as const)(
  'the %s reads a long line in linear time',
  async (reader) => {
    const line = 'x'.repeat(4 << 20);
    const startedAt = performance.now();
    const [first = ''] = await linesOf(readers[reader](bodyOf(line, 1024)));
    expect(first.length).toBe(line.length);
    // Searching all that has arrived again for each chunk takes many seconds.
    expect(performance.now() - startedAt).toBeLessThan(4000);
  },
);
