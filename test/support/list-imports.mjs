/**
 * Preloaded by `node --import`: writes the name of each package that a module of the program imports, in any
 * thread, into the file that IMPORTS_FILE names, and the name of the HTTP client of Node.js if it is loaded.
 */
import { appendFileSync } from 'node:fs';
import { register } from 'node:module';

const HOOKS = '?hooks';
const HTTP_CLIENT = 'NativeModule internal/deps/undici/undici';

// Node.js loads this file again, in a separate thread, for the hook below.
if (!import.meta.url.endsWith(HOOKS)) {
  register(import.meta.url + HOOKS);
  process.on('exit', () => {
    const isLoaded = process.moduleLoadList.includes(HTTP_CLIENT);
    if (isLoaded) appendFileSync(process.env.IMPORTS_FILE, 'undici\n');
  });
}

export function resolve(specifier, context, next) {
  const isOfProgram = context.parentURL?.includes('/dist/program/');
  const isPackage = !/^(?:[./]|node:|file:)/.test(specifier);
  if (isOfProgram && isPackage) appendFileSync(process.env.IMPORTS_FILE, `${specifier}\n`);
  return next(specifier, context);
}
