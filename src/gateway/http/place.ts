/** Where a server listens: a port, or a UNIX socket, whose file is created and removed here. */
import { lstatSync, unlinkSync } from 'node:fs';
import { createConnection } from 'node:net';

export type Place =
  | {
      readonly kind: 'port';
      readonly host: string;
      readonly port: number;
      /** The option that chooses the port; by default `--port`. */
      readonly flag?: '--admin-port';
    }
  /** `mode`: who may connect, as the file's permissions. */
  | { readonly kind: 'socket'; readonly path: string; readonly mode: number };

/** Whether only programs of this machine can connect. */
export function isLocal(place: Place): boolean {
  return place.kind === 'socket' || isLoopback(place);
}

/** A UNIX socket does not count as one: a proxy may pass on requests of other machines. */
export function isLoopback(place: Place): boolean {
  return place.kind === 'port' && /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(place.host);
}

/** The place as it is logged. */
export function placeText(place: Place): string {
  return place.kind === 'port' ? `${place.host}:${place.port}` : place.path;
}

/** What to do if a port is in use. */
export function otherPort(place: Place): string {
  const flag = (place.kind === 'port' && place.flag) || '--port';
  return `Choose another one with ${flag}.`;
}

/** Removes the socket of a server that has ended. Rejects if the path belongs to anything else. */
export async function clearSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`Cannot listen on ${path}: it is not a socket.`);
  if (await isServed(path))
    throw new Error(`Cannot listen on ${path}: another server listens there.`);
  unlinkSync(path);
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    const settle = (isServing: boolean): void => {
      socket.destroy();
      resolve(isServing);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', (error) => settle(!('code' in error) || error.code !== 'ECONNREFUSED'));
  });
}
