/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- no tsconfig covers this file: nothing has a type. */
/** Removes the files of earlier builds of the program, except for those that a running one may still load. */
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';

const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Keeps the files of this build in `dist/program`, and others for a day after the build that replaced them.
 * @param dist the path of the folder, with a slash at its end
 * @param names the names of the files of this build
 */
export function removeSuperseded(dist, names) {
  const folder = `${dist}program/`;
  const list = `${dist}program-files.json`;
  const text = JSON.stringify(names.toSorted());
  const last = readExisting(list);
  if (last === text) return;
  const present = readdirSync(folder);
  // An earlier version of the build wrote no list.
  const replaced = new Set(last === undefined ? present : JSON.parse(last));
  const now = Date.now();
  for (const name of present.filter((each) => !names.includes(each))) {
    const file = folder + name;
    if (replaced.has(name)) utimesSync(file, now / 1000, now / 1000);
    else if (statSync(file).mtimeMs < now - KEPT_MS) rmSync(file);
  }
  writeFileSync(list, text);
}

function readExisting(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
