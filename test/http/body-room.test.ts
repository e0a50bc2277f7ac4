/** Large bodies get memory one after another. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BodyRoom } from '../../src/gateway/body-room.js';
import type { RoomTaker } from '../../src/gateway/http/read-body.js';
import { collectGarbage } from './collect-garbage.js';

const MAX = 100;
const WAIT_MS = 1000;

/** A body whose request and arrival a test changes. */
class Body implements RoomTaker {
  readonly exchange = { answered: false, aborted: false };
  size = 0;
  isComplete = false;
  readonly hasRoom: RoomTaker['hasRoom'];

  constructor(hasRoom: RoomTaker['hasRoom']) {
    this.hasRoom = hasRoom;
  }
}

describe('the memory for large bodies', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => vi.useRealTimers());

  const outcomes: string[] = [];
  let room: BodyRoom;
  beforeEach(() => {
    outcomes.splice(0);
    room = new BodyRoom(MAX, WAIT_MS);
  });

  function take(name: string, bytes: number): Body {
    const body = new Body((has) => outcomes.push(`${name} ${has}`));
    room.take(body, bytes);
    return body;
  }

  it('is granted until it is full, and again once a request is answered or its client has disconnected', () => {
    const first = take('first', 60);
    const second = take('second', 40);
    const third = take('third', 60);
    take('fourth', 1);
    expect(outcomes).toEqual(['first true', 'second true']);
    second.exchange.aborted = true;
    vi.advanceTimersByTime(50);
    expect(outcomes).toHaveLength(2);
    first.exchange.answered = true;
    vi.advanceTimersByTime(50);
    expect(outcomes.slice(2)).toEqual(['third true', 'fourth true']);
    third.exchange.answered = true;
    expect(room.heldBytes).toBe(1);
  });

  it('is refused to bodies that wait for too long, but not to those whose client has disconnected', () => {
    take('first', MAX);
    take('second', 1);
    take('gone', 1).exchange.aborted = true;
    vi.advanceTimersByTime(WAIT_MS + 50);
    expect(outcomes).toEqual(['first true', 'second false']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is taken from bodies that arrive slowly while others wait, not from complete ones', () => {
    room = new BodyRoom(MAX, 10_000);
    const complete = take('complete', 10);
    complete.isComplete = true;
    const steady = take('steady', 30);
    take('slow', 60);
    vi.advanceTimersByTime(60_000);
    expect(outcomes).toEqual(['complete true', 'steady true', 'slow true']);
    take('waiting', 60);
    for (let second = 0; second < 5; second += 1) {
      steady.size += 100_000;
      vi.advanceTimersByTime(1000);
    }
    expect(outcomes.slice(3)).toEqual(['slow false', 'waiting true']);
    expect(room.heldBytes).toBe(100);
  });

  it('is granted to a single body of any size', () => {
    take('first', 10 * MAX);
    expect(outcomes).toEqual(['first true']);
  });

  it('does not keep a body whose request is over', async () => {
    const ended = (() => {
      const body = take('ended', 1);
      body.exchange.answered = true;
      return new WeakRef(body);
    })();
    room.forgetEnded();
    await setImmediate();
    collectGarbage();
    expect(ended.deref()).toBeUndefined();
  });
});
