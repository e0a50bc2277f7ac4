/**
 * The account that the server runs under. PostgreSQL refuses root, so root starts it as an unprivileged
 * user; everybody else runs it as themselves. Also checks which folders that account can enter.
 */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

/** A uid and gid to start processes with; undefined stands for "as we are". */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody` on Debian, Alpine, Fedora and similar systems: initdb needs a uid with a passwd entry. */
const NOBODY: ServerAccount = { uid: 65534, gid: 65534 };

/**
 * The account for a cluster in `clusterDirectory`. Root keeps to the owner of a cluster that is
 * there already, so that a folder filled by an ordinary user stays that user's.
 */
export function chooseAccount(clusterDirectory: string): ServerAccount | undefined {
  if (!isRoot()) return undefined;
  const stats = lstatSync(clusterDirectory, { throwIfNoEntry: false });
  if (stats === undefined || stats.uid === 0) return NOBODY;
  return { uid: stats.uid, gid: stats.gid };
}

/** Whether this process is root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

const ENTER = 0o1;

/**
 * Whether `account` can enter `directory`, which exists. Without an account the answer is yes: our
 * own permissions show themselves in use. Access lists are not looked at.
 */
export function isReachable(directory: string, account: ServerAccount | undefined): boolean {
  if (account === undefined) return true;
  return withParents(realpathSync(directory)).every((path) => canEnter(path, account));
}

function canEnter(path: string, account: ServerAccount): boolean {
  const stats = statSync(path);
  const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0;
  return ((stats.mode >> shift) & ENTER) === ENTER;
}

function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}

const SYSTEM_TEMPORARY = '/tmp';

/** The system's folder for temporary files, or `/tmp` when `account` cannot enter that one. */
export function temporaryRoot(account: ServerAccount | undefined): string {
  const root = realpathSync(tmpdir());
  return isReachable(root, account) ? root : SYSTEM_TEMPORARY;
}
