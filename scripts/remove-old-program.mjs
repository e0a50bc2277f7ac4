/** Removes the files of earlier builds from dist/program: the package needs only those of the last one. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
const program = new URL('program/', dist);
const list = readFileSync(new URL('program-files.json', dist), 'utf8');
for (const name of readdirSync(program)) {
  if (!list.includes(JSON.stringify(name))) rmSync(new URL(name, program));
}
