/** Large bodies get memory one after another. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BodyRoom } from '../../src/gateway/body-room.js';
import type { Exchange } from '../../src/gateway/http/exchange.js';

const MAX = 100;
const WAIT_MS = 1000;

/** What the room needs to know about an exchange. */
type Asked = { -readonly [Name in 'answered' | 'aborted']: Exchange[Name] };

describe('the memory for large bodies', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  const outcomes: string[] = [];
  let room: BodyRoom;
  beforeEach(() => {
    outcomes.splice(0);
    room = new BodyRoom(MAX, WAIT_MS);
  });

  function take(name: string, bytes: number): Asked {
    const exchange: Asked = { answered: false, aborted: false };
    room.take(exchange, bytes, (hasRoom) => outcomes.push(`${name} ${hasRoom}`));
    return exchange;
  }

  it('is granted until it is full, and again once a request is answered or its client has disconnected', () => {
    const first = take('first', 60);
    const second = take('second', 40);
    const third = take('third', 60);
    take('fourth', 1);
    expect(outcomes).toEqual(['first true', 'second true']);
    second.aborted = true;
    vi.advanceTimersByTime(50);
    expect(outcomes).toHaveLength(2);
    first.answered = true;
    vi.advanceTimersByTime(50);
    expect(outcomes.slice(2)).toEqual(['third true', 'fourth true']);
    third.answered = true;
    expect(room.heldBytes).toBe(1);
  });

  it('is refused to bodies that wait for too long, but not to those whose client has disconnected', () => {
    take('first', MAX);
    take('second', 1);
    take('gone', 1).aborted = true;
    vi.advanceTimersByTime(WAIT_MS + 50);
    expect(outcomes).toEqual(['first true', 'second false']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is granted to a single body of any size', () => {
    take('first', 10 * MAX);
    expect(outcomes).toEqual(['first true']);
  });
});
