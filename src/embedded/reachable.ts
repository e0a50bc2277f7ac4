/** Whether another account can enter a folder: looks at the permission bits of it and its parents. */
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ServerAccount } from './server-account.js';

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
