/** Whether another account can enter a folder: looks at the permission bits of it and its parents. */
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ServerAccount } from './server-account.js';

const READ_AND_ENTER = 0o5;
const ENTER = 0o1;

/**
 * Whether `account` can list and enter `directory`, which exists. Without an account the answer is
 * yes: our own permissions show themselves in use. Access lists are not looked at.
 */
export function isReachable(directory: string, account: ServerAccount | undefined): boolean {
  if (account === undefined) return true;
  const path = realpathSync(directory);
  if (!grants(path, account, READ_AND_ENTER)) return false;
  return parents(path).every((parent) => grants(parent, account, ENTER));
}

function grants(path: string, account: ServerAccount, wanted: number): boolean {
  const stats = statSync(path);
  const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0;
  return ((stats.mode >> shift) & wanted) === wanted;
}

function parents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...parents(parent)];
}
