/** Reads a whole body as the handlers do, with memory for any number of bodies. */
import type { Exchange } from '../../src/gateway/http/exchange.js';
import { readBody, type RoomTaker } from '../../src/gateway/http/read-body.js';

/**
 * Calls `done` with the bytes, which are valid only during the call, or with undefined if the body is
 * over the limit.
 */
export function readWhole(
  exchange: Exchange,
  bytesMax: number,
  done: (bytes: Uint8Array | undefined) => void,
): void {
  const room = { take: (body: RoomTaker) => body.hasRoom(true) };
  readBody(exchange, { bytesMax, room }, { done, refused: () => done(undefined) });
}
