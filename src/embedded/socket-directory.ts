/**
 * The folder of the server's unix socket: short, private, new for every Rowgate. There is no TCP
 * listener, so ports cannot clash and nobody outside the machine can reach the server.
 */
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerAccount, temporaryRoot } from './server-account.js';

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, the closing NUL among them. */
const SOCKET_PATH_BYTES_MAX = 103;

/** Only names the socket file: nothing listens on it. */
export const SOCKET_PORT = 5432;

/**
 * Makes a folder of mode 0700, owned by the server's account: `wished`, or a new one. The server
 * removes it at its end.
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

/** That of a server that has ended: whatever it left is nobody's. */
function remade(directory: string): string {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

function fits(root: string): boolean {
  const socket = join(root, 'rowgate-XXXXXX', `.s.PGSQL.${SOCKET_PORT}`);
  return Buffer.byteLength(socket) <= SOCKET_PATH_BYTES_MAX;
}
