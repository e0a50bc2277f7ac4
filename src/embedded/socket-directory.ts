/**
 * The folder of the server's UNIX socket: short, private, and new for every Rowgate process. There is
 * no TCP listener, so ports cannot conflict, and nobody outside the machine can reach the server.
 */
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerAccount, temporaryRoot } from './server-account.js';

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, including the terminating NUL. */
const SOCKET_PATH_BYTES_MAX = 103;

/** Part of the socket file's name; nothing listens on this port. */
export const SOCKET_PORT = 5432;

/**
 * Creates a folder with mode 0700 that belongs to the server's account: `wished`, or a new one. It is
 * removed when the server ends.
 */
export function makeSocketDirectory(
  account: ServerAccount | undefined,
  wished: string | undefined,
): string {
  const directory = wished === undefined ? newDirectory(account) : remade(wished);
  if (account !== undefined) chownSync(directory, account.uid, account.gid);
  return directory;
}

function newDirectory(account: ServerAccount | undefined): string {
  const root = temporaryRoot(account);
  return mkdtempSync(join(fits(root) ? root : '/tmp', 'rowgate-'));
}

/** For a server that is restarted: removes what the previous one left in the folder. */
function remade(directory: string): string {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

function fits(root: string): boolean {
  const socket = join(root, 'rowgate-XXXXXX', `.s.PGSQL.${SOCKET_PORT}`);
  return Buffer.byteLength(socket) <= SOCKET_PATH_BYTES_MAX;
}
