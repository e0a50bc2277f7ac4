/** How large answers are handed to uWebSockets.js, of which a model plays what 20.41 does. */
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UwsLargeAnswer } from '../../src/gateway/http/uws-large-answer.js';
import { UwsAnswerStream } from '../../src/gateway/http/uws-stream.js';
import '../support/fixed-seed.js';
import { ModelResponse } from './model-response.js';

/** A shorter body fits the system's buffer. */
const LONG_BYTES = 30_000;

const socket = {
  /** Bytes that the system takes at first. */
  room: fc.integer({ min: 0, max: 150_000 }),
  /** Bytes that the reader takes, again and again; no system has smaller buffers. */
  takes: fc.array(fc.integer({ min: 1000, max: 120_000 }), { minLength: 1, maxLength: 8 }),
};

it('sends an answer in chunks whole, whatever the system takes at a time', async () => {
  const parts = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 12 });
  const cases = fc.record({ ...socket, parts, oneByOne: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(cases, async (each) => {
      const body = patterned(each.parts.reduce((sum, length) => sum + length, 0));
      const response = new ModelResponse(each.room);
      const stream = new UwsAnswerStream(response, ownerOf(response));
      let taken = 0;
      let at = 0;
      for (const length of each.parts) {
        const lent = Buffer.from(body.subarray(at, (at += length)));
        stream.write(lent, () => {
          taken += 1;
          lent.fill(0);
        });
        if (each.oneByOne) await turn();
      }
      stream.end();
      await readAll(response, each.takes);
      expect(decodeChunks(response.received).equals(body)).toBe(true);
      expect(taken).toBe(each.parts.length);
      // What the library keeps then is nobody's care any more: it hangs up soon.
      if (body.length > LONG_BYTES) expect(response.keptAtEnd).toBe(0);
    }),
  );
});

it('sends an answer of known length whole, whatever the system takes at a time', async () => {
  const cases = fc.record({ ...socket, length: fc.integer({ min: 1, max: 400_000 }) });
  await fc.assert(
    fc.asyncProperty(cases, async (each) => {
      const body = patterned(each.length);
      const response = new ModelResponse(each.room);
      const answer = new UwsLargeAnswer(response, body, ownerOf(response));
      response.cork(() => answer.send());
      await readAll(response, each.takes);
      const head = `${body.length}\r\n`;
      expect(response.received.equals(Buffer.concat([Buffer.from(head), body]))).toBe(true);
    }),
  );
});

function ownerOf(response: ModelResponse) {
  return {
    isOpen: () => response.keptAtEnd === undefined,
    finished: () => undefined,
    cut: () => undefined,
    writeStallMs: 60_000,
  };
}

/** Takes so many bytes, one after the other, until the answer has ended, and then the rest. */
async function readAll(response: ModelResponse, takes: readonly number[]): Promise<void> {
  for (let turns = 0; response.keptAtEnd === undefined && turns < 2000; turns += 1) {
    await turn();
    response.take(takes[turns % takes.length] ?? 0);
  }
  response.take(LONG_BYTES);
  response.take(LONG_BYTES);
}

/** No four bytes occur twice. */
function patterned(length: number): Buffer {
  const bytes = Buffer.alloc(length + 4);
  for (let at = 0; at < length; at += 4) bytes.writeUInt32LE(at + 1, at);
  return bytes.subarray(0, length);
}

function decodeChunks(received: Buffer): Buffer {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = received.indexOf('\r\n', at);
    const text = received.toString('latin1', at, lineEnd);
    if (!/^[0-9a-f]+$/.test(text)) throw new Error(`No size of a chunk at ${at}.`);
    const size = Number.parseInt(text, 16);
    const begin = lineEnd + 2;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(received.subarray(begin, begin + size));
    at = begin + size + 2;
    if (received.toString('latin1', at - 2, at) !== '\r\n') throw new Error(`No end at ${at}.`);
  }
}
