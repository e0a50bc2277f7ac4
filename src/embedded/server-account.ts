/**
 * Chooses the account that runs the server. PostgreSQL refuses to run as root, so root runs it as an
 * unprivileged user; every other user runs it as themselves. Also checks which folders that account can
 * enter.
 */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

/** The uid and gid of processes to start; undefined stands for those of this process. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody` on Debian, Alpine, Fedora and others: initdb needs a uid with a passwd entry. */
const NOBODY: ServerAccount = { uid: 65534, gid: 65534 };

/**
 * The account for a cluster in `clusterDirectory`. For root, it is the owner of an existing cluster, so
 * that a folder of an ordinary user remains theirs.
 */
export function chooseAccount(clusterDirectory: string): ServerAccount | undefined {
  if (!isRoot()) return undefined;
  const stats = lstatSync(clusterDirectory, { throwIfNoEntry: false });
  if (stats === undefined || stats.uid === 0) return NOBODY;
  return { uid: stats.uid, gid: stats.gid };
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

const ENTER = 0o1;

/**
 * Whether `account` can enter `directory`, which must exist. Without an account it returns true,
 * because missing permissions of our own show when the folder is used. Access control lists are
 * ignored.
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

/** The system's folder for temporary files, or `/tmp` if `account` cannot enter that folder. */
export function temporaryRoot(account: ServerAccount | undefined): string {
  const root = realpathSync(tmpdir());
  return isReachable(root, account) ? root : SYSTEM_TEMPORARY;
}
