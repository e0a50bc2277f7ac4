/**
 * Lets tests import the compiled program: Node.js loads it much faster than vitest loads hundreds of
 * TypeScript files.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('../../src/', import.meta.url));
const compiled = fileURLToPath(new URL('../../dist/', import.meta.url));

/** The files that vitest must not transform. */
export const external = [/\/dist\//];

/** A plugin that resolves an import of a file in `src` to the file that is compiled from it. */
export const importCompiled = {
  name: 'import-compiled',
  enforce: 'pre' as const,
  resolveId(source: string, importer: string | undefined) {
    if (importer === undefined || !source.startsWith('.')) return undefined;
    const path = fileURLToPath(new URL(source, `file://${importer}`));
    if (!path.startsWith(sources)) return undefined;
    const id = compiled + path.slice(sources.length);
    return existsSync(id) ? { id, external: true as const } : undefined;
  },
};
