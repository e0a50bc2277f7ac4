/** Detects slow readers on node:http by the bytes that wait in the system's send buffer. */
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AnswerOwner } from './exchange.js';
import { Patience } from './patience.js';

/** Watches the reader of an answer. */
export function nodePatience(response: ServerResponse, owner: AnswerOwner): Patience {
  const { socket } = response.req;
  let before: number | undefined;
  const look = async (): Promise<void> => {
    // It has not begun: an answer before it, on the same connection, still has the socket.
    if (response.socket === null) return patience.wait();
    const unsent = patience.isWaiting ? await unsentBytes(socket) : undefined;
    if (!patience.isWaiting) before = undefined;
    else {
      if (before !== undefined && unsent !== before) patience.wait();
      before = unsent;
    }
  };
  const patience = new Patience(owner, look);
  return patience;
}

/**
 * The bytes that the reader of a socket has not acknowledged. This shows a slow reader's progress
 * long before the system accepts more: Linux does that only when a third of its buffer is free.
 * Undefined if the system does not have this table (proc(5), /proc/net/tcp).
 */
async function unsentBytes(socket: Socket): Promise<number | undefined> {
  const { localPort, remotePort, remoteFamily } = socket;
  if (localPort === undefined || remotePort === undefined) return undefined;
  const table = await readFile(
    `/proc/self/net/${remoteFamily === 'IPv6' ? 'tcp6' : 'tcp'}`,
    'latin1',
  )
    // Not Linux, or without /proc.
    .catch(() => '');
  const ports = `:${hexOf(localPort)} [0-9A-F]+:${hexOf(remotePort)}`;
  const queue = new RegExp(`${ports} [0-9A-F]{2} ([0-9A-F]+):`).exec(table)?.[1];
  return queue === undefined ? undefined : Number.parseInt(queue, 16);
}

function hexOf(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
