/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- no tsconfig covers this file: nothing has a type. */
/**
 * Builds the console from src/console into dist/console, after tsc has built the engine. Does nothing if
 * its sources are those of the last build.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const repository = fileURLToPath(new URL('..', import.meta.url));
const source = join(repository, 'src/console');
const target = join(repository, 'dist/console');
/** The digest of the sources of the last build. */
const record = join(target, '.sources');

const digest = digestOf([
  ...filesBelow(source),
  ...filesBelow(join(repository, 'src/engine/query/functions')),
  join(repository, 'package-lock.json'),
  fileURLToPath(import.meta.url),
]);
if (!existsSync(record) || readFileSync(record, 'utf8') !== digest) await buildConsole();

async function buildConsole() {
  const { build } = await import('vite');
  await build({
    root: source,
    configFile: false,
    // Relative addresses work behind every prefix.
    base: './',
    logLevel: 'warn',
    plugins: [functionsPlugin()],
    build: {
      outDir: target,
      emptyOutDir: true,
      assetsDir: '',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: ['chrome123', 'firefox128', 'safari17.5'],
    },
  });
  compressFiles();
  writeFileSync(record, digest);
}

/** The module `rowgate:functions`: the engine's table of functions, for completion. */
function functionsPlugin() {
  const name = 'rowgate:functions';
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: async (id) => {
      if (id !== `\0${name}`) return undefined;
      const { formOf, functionTable } = await import('../dist/engine/query/functions/table.js');
      const entries = functionTable.map((each) => ({
        name: each.name,
        aliases: each.aliases ?? [],
        form: formOf(each),
        summary: each.summary,
        example: `${each.example[0]} is ${each.example[1]}.`,
      }));
      return `export const functions = ${JSON.stringify(entries)};`;
    },
  };
}

/** Writes each script and style sheet a second time, compressed, so that the gateway need not do it. */
function compressFiles() {
  for (const name of readdirSync(target)) {
    if (!['.js', '.css', '.svg'].includes(extname(name))) continue;
    writeFileSync(
      join(target, `${name}.gz`),
      gzipSync(readFileSync(join(target, name)), { level: 9 }),
    );
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

function digestOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(path));
  return hash.digest('hex');
}
