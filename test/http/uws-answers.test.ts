/** How large answers are passed to uWebSockets.js; the tests use a model of version 20.41. */
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { UwsLargeAnswer } from '../../src/gateway/http/uws-large-answer.js';
import { UwsAnswerStream } from '../../src/gateway/http/uws-stream.js';
import '../support/fixed-seed.js';
import { ModelResponse } from './model-response.js';

/** A shorter body fits into the system's buffer. */
const LONG_BYTES = 30_000;
/**
 * The library drops what it keeps of an ended answer if the reader is slow. That may be at most the
 * very end.
 */
const KEPT_BYTES_MAX = 200;
/** The size of the library's cork buffer. */
const CORK_BYTES = 16 * 1024;

/**
 * What happens while an answer waits: the reader takes bytes (which the system may report), or time
 * passes.
 */
const event = fc.record({
  /** No system has smaller buffers. */
  takes: fc.integer({ min: 1000, max: 120_000 }),
  isReported: fc.boolean(),
  time: fc.constantFrom(0, 0, 4000, 8000),
});
type WaitEvent = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

const socket = {
  /** The number of bytes that the system accepts at first. */
  room: fc.integer({ min: 0, max: 150_000 }),
  /** Repeated until the answer has ended. */
  events: fc.array(event, { minLength: 1, maxLength: 8 }),
};

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterAll(() => {
  vi.useRealTimers();
});

it('sends a chunked answer completely, whatever the system takes at a time', async () => {
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
        const borrowed = new Uint8Array(body.subarray(at, (at += length)));
        stream.write(borrowed, () => {
          taken += 1;
          // The buffer goes back to its worker.
          structuredClone(borrowed.buffer, { transfer: [borrowed.buffer] });
        });
        if (each.oneByOne) await turn();
      }
      stream.end();
      await readAll(response, each.events);
      expect(decodeChunks(response.received).equals(body)).toBe(true);
      expect(taken).toBe(each.parts.length);
      expect(response.keptMost).toBeLessThan(2 * CORK_BYTES);
      if (body.length > LONG_BYTES) expect(response.keptAtEnd).toBeLessThan(KEPT_BYTES_MAX);
    }),
  );
});

it('sends an answer of known length completely, whatever the system takes at a time', async () => {
  const cases = fc.record({ ...socket, length: fc.integer({ min: 1, max: 400_000 }) });
  await fc.assert(
    fc.asyncProperty(cases, async (each) => {
      const body = new Uint8Array(patterned(each.length));
      const response = new ModelResponse(each.room);
      const borrowed = new Uint8Array(body);
      const answer = new UwsLargeAnswer(response, borrowed, ownerOf(response));
      response.cork(() => answer.send());
      // Its worker uses the memory again.
      borrowed.fill(0);
      await readAll(response, each.events);
      const head = `${body.length}\r\n`;
      expect(response.received.equals(Buffer.concat([Buffer.from(head), body]))).toBe(true);
      expect(response.keptMost).toBeLessThan(CORK_BYTES);
      if (body.length > LONG_BYTES) expect(response.keptAtEnd).toBeLessThan(KEPT_BYTES_MAX);
    }),
  );
});

function ownerOf(response: ModelResponse) {
  return {
    get isAnswering() {
      return response.keptAtEnd === undefined;
    },
    finish: () => undefined,
    abort: () => undefined,
    writeStallMs: 60_000,
  };
}

/** Runs the events until the answer has ended, and reads the rest. */
async function readAll(response: ModelResponse, events: readonly WaitEvent[]): Promise<void> {
  for (let turns = 0; response.keptAtEnd === undefined && turns < 2000; turns += 1) {
    await turn();
    const { takes = 0, isReported = true, time = 0 } = events[turns % events.length] ?? {};
    response.take(takes);
    // The system reports it sooner or later.
    if (isReported || turns % 10 === 9) response.report();
    vi.advanceTimersByTime(time);
  }
  response.take(LONG_BYTES);
  response.report();
}

/** Bytes in which no four consecutive ones occur twice. */
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
