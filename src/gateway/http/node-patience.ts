/** Waits for a slow reader on node:http, by what the system holds of what was written to its socket. */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { Patience } from './patience.js';

/** The wait for the reader of a socket, who is cut after `writeStallMs` in which it takes nothing. */
export function nodePatience(socket: Socket, writeStallMs: number, cut: () => void): Patience {
  let before: number | undefined;
  const look = async (): Promise<void> => {
    const unsent = patience.isWaiting ? await unsentBytes(socket) : undefined;
    if (!patience.isWaiting) before = undefined;
    else {
      if (before !== undefined && unsent !== before) patience.wait();
      before = unsent;
    }
  };
  const patience = new Patience({ writeStallMs, look, cut });
  return patience;
}

/**
 * The bytes that the reader of a socket has not acknowledged. It tells of a slow reader long before the
 * system takes more: Linux does that only once a third of its buffer is free. Undefined where the system
 * has no such table (proc(5), /proc/net/tcp).
 */
async function unsentBytes(socket: Socket): Promise<number | undefined> {
  const { localPort, remotePort, remoteFamily } = socket;
  if (localPort === undefined || remotePort === undefined) return undefined;
  const table = await readFile(
    `/proc/self/net/${remoteFamily === 'IPv6' ? 'tcp6' : 'tcp'}`,
    'latin1',
  )
    // Not Linux, or /proc is not there.
    .catch(() => '');
  const ports = `:${hexOf(localPort)} [0-9A-F]+:${hexOf(remotePort)}`;
  const queue = new RegExp(`${ports} [0-9A-F]{2} ([0-9A-F]+):`).exec(table)?.[1];
  return queue === undefined ? undefined : Number.parseInt(queue, 16);
}

function hexOf(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
