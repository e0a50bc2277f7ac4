/** The memory for answers to slow readers is limited. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { AnswerStream } from '../../src/gateway/http/exchange.js';
import { StreamMemory } from '../../src/gateway/stream-memory.js';
import { collectGarbage } from './collect-garbage.js';

const MAX = 400;
const SLOW_FROM = 10;

/** A stream with a given number of waiting bytes. */
class Stream implements AnswerStream {
  waitingBytes: number;

  constructor(waitingBytes: number) {
    this.waitingBytes = waitingBytes;
  }

  write(): void {}
  end(): void {}
  abort(): void {}
}

describe('the memory for slow readers', () => {
  it('buffers nothing for a reader that is not slow', () => {
    const memory = new StreamMemory(MAX, SLOW_FROM);
    expect(memory.takes(new Stream(SLOW_FROM - 1))).toBe(false);
    expect(memory.takes(new Stream(SLOW_FROM))).toBe(true);
  });

  it('lets one answer use a quarter of it', () => {
    const memory = new StreamMemory(MAX, SLOW_FROM);
    expect(memory.takes(new Stream(MAX / 4 - 1))).toBe(true);
    expect(memory.takes(new Stream(MAX / 4))).toBe(false);
  });

  it('is full until the reader has taken the bytes or has disconnected', () => {
    const memory = new StreamMemory(MAX, SLOW_FROM);
    const slow = Array.from({ length: 4 }, () => new Stream(99));
    for (const stream of slow) expect(memory.takes(stream)).toBe(true);
    const other = new Stream(50);
    expect(memory.takes(other)).toBe(false);
    for (const stream of slow.slice(0, 2)) stream.waitingBytes = 0;
    expect(memory.takes(other)).toBe(true);
  });

  it('forgets an answer whose reader is no longer slow, even if no answer may use its share', async () => {
    const memory = new StreamMemory(MAX, MAX / 4);
    const ended = (() => {
      const stream = new Stream(MAX);
      expect(memory.takes(stream)).toBe(false);
      stream.waitingBytes = 0;
      return new WeakRef(stream);
    })();
    expect(memory.takes(new Stream(MAX))).toBe(false);
    // A reference that was just made is kept until the end of this job.
    await setImmediate();
    collectGarbage();
    expect(ended.deref()).toBeUndefined();
  });

  it('forgets the last slow answer', async () => {
    const memory = new StreamMemory(MAX, SLOW_FROM);
    const ended = (() => {
      const stream = new Stream(SLOW_FROM);
      memory.takes(stream);
      stream.waitingBytes = 0;
      return new WeakRef(stream);
    })();
    memory.forgetEnded();
    await setImmediate();
    collectGarbage();
    expect(ended.deref()).toBeUndefined();
  });
});
