/** Finds optional programs that the bench does not install. */
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const POSTGRESQL = '/usr/lib/postgresql';

/**
 * The path of a program on PATH or among Debian's PostgreSQL programs; undefined if it is missing.
 */
export function findProgram(name: string): string | undefined {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...path, ...postgresqlFolders()].map((folder) => join(folder, name)).find(isExecutable);
}

/** The newest version comes first. */
function postgresqlFolders(): readonly string[] {
  try {
    const versions = readdirSync(POSTGRESQL).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(POSTGRESQL, version, 'bin'));
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
