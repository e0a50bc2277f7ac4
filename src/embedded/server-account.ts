/**
 * Under which account the server runs. PostgreSQL refuses root, so root hands it to an unprivileged
 * account; everybody else runs it as themselves.
 */
import { lstatSync } from 'node:fs';

/** A uid and gid to start processes with; undefined stands for "as we are". */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody` on Debian, Alpine, Fedora and their kin: initdb wants a uid with a passwd entry. */
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
