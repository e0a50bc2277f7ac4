/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- no tsconfig covers this file: nothing has a type. */
/**
 * Bundles the modules that tsc has compiled into a few files in dist/program, because Node.js takes half a
 * second to load hundreds of modules. Packages are not bundled. Files that have not changed are not
 * written, because a running program may load them later.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const target = `${dist}program/`;
const input = {
  rowgate: `${dist}cli/main.js`,
  worker: `${dist}workers/main.js`,
  gateway: `${dist}project/create-gateway.js`,
  engine: `${dist}engine/library.js`,
};

// A module of the engine is needed only for what it exports, so that a command loads few of them.
const treeshake = { moduleSideEffects: (id) => !id.startsWith(`${dist}engine/`) };
const bundle = await rolldown({ input, platform: 'node', external: isPackage, treeshake });
const { output } = await bundle.generate({ chunkFileNames: '[name]-[hash].js' });
await bundle.close();
mkdirSync(target, { recursive: true });
for (const { fileName, code } of output) write(target + fileName, code);
const names = new Set(output.map(({ fileName }) => fileName));
for (const name of readdirSync(target)) {
  if (!names.has(name)) rmSync(target + name);
}

function isPackage(id) {
  return !/^[./]/.test(id) && !(id in input);
}

/** Writes a file at once, so that no program reads an incomplete one. */
function write(file, code) {
  if (readExisting(file) === code) return;
  writeFileSync(`${file}.${process.pid}`, code, { mode: 0o755 });
  renameSync(`${file}.${process.pid}`, file);
}

function readExisting(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
