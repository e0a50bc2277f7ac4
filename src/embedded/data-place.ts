/**
 * Where the data of the embedded database really lie. As root, a folder that the server's account
 * cannot enter (a checkout under /root) is of no use: the data then live in a folder of /var/lib
 * that belongs to the wished one.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedError } from './embedded-error.js';
import { chooseAccount, isReachable, isRoot, type ServerAccount } from './server-account.js';
import { clusterOf } from './cluster.js';

const SYSTEM_DATA = '/var/lib/rowgate';

/** A data folder that is there, and who runs its server. */
export interface DataPlace {
  readonly dataDirectory: string;
  readonly account: ServerAccount | undefined;
}

/** Makes the folder, or its stand-in; `dataDirectory` of the answer is the real path. */
export function provideDataPlace(wished: string): DataPlace {
  const place = makePlace(resolve(wished));
  if (isReachable(place.dataDirectory, place.account)) return place;
  const mark = createHash('sha256').update(place.dataDirectory).digest('hex').slice(0, 16);
  const substitute = makePlace(join(SYSTEM_DATA, mark));
  if (isReachable(substitute.dataDirectory, substitute.account)) return substitute;
  throw new EmbeddedError(
    'data-unusable',
    `PostgreSQL does not run as root, and the unprivileged user that runs it cannot enter ` +
      `${place.dataDirectory} or ${SYSTEM_DATA}. Choose a data folder that every user can enter.`,
  );
}

function makePlace(directory: string): DataPlace {
  try {
    const first = mkdirSync(directory, { recursive: true });
    if (first !== undefined) openMade(directory, first);
    else if (isRoot() && readdirSync(directory).length === 0) chmodSync(directory, 0o755);
    const dataDirectory = realpathSync(directory);
    return { dataDirectory, account: chooseAccount(clusterOf(dataDirectory)) };
  } catch (cause) {
    throw new EmbeddedError('data-unusable', `The data folder ${directory} cannot be made.`, {
      cause,
    });
  }
}

/** Folders made by us can be entered, whatever the umask; the cluster inside is private. */
function openMade(directory: string, first: string): void {
  chmodSync(directory, 0o755);
  if (directory !== first) openMade(dirname(directory), first);
}
