/** Holds back the body of a request until its token is verified. */
import type { Exchange } from '../http/exchange.js';

type Take = Parameters<Exchange['onData']>[0];

/**
 * Holds the body back and pauses the client, so that only the bytes that have arrived are in memory. The body of the
 * returned exchange waits for `release`.
 */
export function holdBody(exchange: Exchange) {
  const early: [bytes: Uint8Array<ArrayBuffer>, last: boolean][] = [];
  let isHeld = true;
  let isPaused = false;
  let take: Take | undefined;
  exchange.onData((bytes, last) => {
    if (isHeld) early.push([new Uint8Array(bytes), last]);
    else take?.(bytes, last);
  });
  exchange.pause();
  const own: Partial<Exchange> = {
    onData: (next) => {
      take = next;
    },
    pause: () => {
      isPaused = true;
      if (!isHeld) exchange.pause();
    },
    resume: () => {
      isPaused = false;
      if (!isHeld) exchange.resume();
    },
  };
  const release = () => {
    isHeld = false;
    for (const [bytes, last] of early.splice(0)) take?.(bytes, last);
    if (!isPaused) exchange.resume();
  };
  return { exchange: new Proxy(exchange, { get: memberOf(own) }), release };
}

function memberOf(own: Partial<Exchange>) {
  return (exchange: Exchange, name: string): unknown => {
    const value: unknown = Reflect.get(own, name) ?? Reflect.get(exchange, name);
    return typeof value === 'function' ? value.bind(exchange) : value;
  };
}
