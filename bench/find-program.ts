/** Finds the programs that a bench can use but does not bring along. */
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const POSTGRESQL = '/usr/lib/postgresql';

/** The path of a program on PATH or among Debian's PostgreSQL programs; undefined: not there. */
export function findProgram(name: string): string | undefined {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...path, ...postgresqlFolders()].map((folder) => join(folder, name)).find(isExecutable);
}

/** The newest version first. */
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
