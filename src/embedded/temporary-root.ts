/** Where temporary folders are made: a place that the server's account can enter. */
import { tmpdir } from 'node:os';
import { realpathSync } from 'node:fs';
import { isReachable } from './reachable.js';
import type { ServerAccount } from './server-account.js';

const SYSTEM_TEMPORARY = '/tmp';

/** The system's folder for temporary files, or `/tmp` when `account` cannot enter that one. */
export function temporaryRoot(account: ServerAccount | undefined): string {
  const root = realpathSync(tmpdir());
  return isReachable(root, account) ? root : SYSTEM_TEMPORARY;
}
