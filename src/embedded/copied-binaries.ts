/**
 * Makes a private copy of the server's programs in the folder for temporary files, once for each
 * version. It is needed if the server's account cannot enter the package's folder, or if links cannot
 * be added there.
 */
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { EmbeddedError, systemCode } from './embedded-error.js';
import { type ServerAccount, temporaryRoot } from './server-account.js';

export interface CopyOrder {
  readonly packageDirectory: string;
  readonly version: string;
  readonly account: ServerAccount | undefined;
  /** Adds the package's missing links to a copy of it. */
  readonly addLinks: (packageDirectory: string) => void;
}

/** Returns the `native` folder of a complete copy, which is made if necessary. */
export function copyBinaries(order: CopyOrder): string {
  const root = temporaryRoot(order.account);
  const uid = process.getuid?.() ?? 0;
  const copy = join(root, `rowgate-postgresql-${order.version}-${uid}`);
  const native = join(order.packageDirectory, 'native');
  if (!isWhole(native, join(copy, 'native'), copy)) replaceCopy(order, root, copy);
  return join(copy, 'native');
}

/** Whether the copy has every file. Programs that clean temporary folders delete single files. */
function isWhole(original: string, native: string, copy: string): boolean {
  const stats = lstatSync(copy, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isDirectory() || stats.uid !== process.getuid?.() || (stats.mode & 0o022) !== 0) {
    // Files that another user put there under our name must not be run.
    throw new EmbeddedError('binaries-missing', `${copy} belongs to another user. Remove it.`);
  }
  if (lstatSync(native, { throwIfNoEntry: false }) === undefined) return false;
  const present = new Set(readdirSync(native, { recursive: true, encoding: 'utf8' }));
  return readdirSync(original, { recursive: true, encoding: 'utf8' }).every((name) =>
    present.has(name),
  );
}

function replaceCopy(order: CopyOrder, root: string, copy: string): void {
  const native = join(order.packageDirectory, 'native');
  const making = mkdtempSync(join(root, 'rowgate-copy-'));
  try {
    cpSync(native, join(making, 'native'), { recursive: true, verbatimSymlinks: true });
    order.addLinks(making);
    openToAll(making);
    for (let attempt = 1; !moveTo(making, copy, attempt); attempt += 1) {
      // Another process was faster, and its copy is just as good; or another user was.
      if (isWhole(native, join(copy, 'native'), copy)) break;
      rmSync(copy, { recursive: true, force: true });
    }
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

const ATTEMPTS_MAX = 5;

/** Moves a folder to a place without one; returns false if something is there. Throws at the last attempt. */
function moveTo(making: string, copy: string, attempt: number): boolean {
  try {
    renameSync(making, copy);
    return true;
  } catch (error) {
    const isTaken = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemCode(error) ?? '');
    if (!isTaken || attempt >= ATTEMPTS_MAX) throw error;
    return false;
  }
}

/** Lets the server's account read all files and enter all folders, whatever our umask is. */
function openToAll(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, lstatSync(path).mode | (entry.isDirectory() ? 0o755 : 0o644));
    if ((lstatSync(path).mode & 0o100) !== 0) chmodSync(path, 0o755);
  }
}
