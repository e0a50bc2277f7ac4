/** Reads a whole body as the handlers do, with memory for any number of bodies. */
import type { Exchange } from '../../src/gateway/http/exchange.js';
import { readBody } from '../../src/gateway/http/read-body.js';

/**
 * Calls `done` with the bytes, which are valid only during the call, or with undefined if the body is
 * over the limit.
 */
export function readWhole(
  exchange: Exchange,
  bytesMax: number,
  done: (bytes: Uint8Array | undefined) => void,
): void {
  const room = {
    take: (_: unknown, __: number, settle: (hasRoom: boolean) => void) => settle(true),
  };
  readBody(exchange, { bytesMax, room }, { done, refused: () => done(undefined) });
}
