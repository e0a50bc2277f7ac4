/**
 * Determines where the data of the embedded database are stored. If Rowgate runs as root and the
 * server's account cannot enter the requested folder (for example under /root), a folder in /var/lib
 * replaces it.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedError } from './embedded-error.js';
import { chooseAccount, isReachable, isRoot, type ServerAccount } from './server-account.js';
import { clusterOf } from './cluster.js';

const SYSTEM_DATA = '/var/lib/rowgate';

/** An existing data folder, and the account that runs its server. */
export interface DataPlace {
  readonly dataDirectory: string;
  readonly account: ServerAccount | undefined;
}

/** The data folder, or the one that replaces it, by its real path. Throws `data-unusable`. */
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
    throw new EmbeddedError('data-unusable', `The data folder ${directory} cannot be created.`, {
      cause,
    });
  }
}

/** Lets everyone enter the folders, whatever our umask is. The cluster inside is private. */
function openMade(directory: string, first: string): void {
  chmodSync(directory, 0o755);
  if (directory !== first) openMade(dirname(directory), first);
}
