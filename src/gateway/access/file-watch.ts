/** Notices that a file has changed. `watchFile` misses changes before its first look at the file. */
import { statSync } from 'node:fs';

/** How often the file is checked. */
const CHECK_MS = 1000;

/**
 * Calls `changed` when the file differs from `known`, its state before it was read. Returns a function
 * that ends the checks.
 */
export function watchChanges(path: string, known: string, changed: () => void): () => void {
  let last = known;
  const check = () => {
    const state = stateOfFile(path);
    if (state === last) return;
    last = state;
    changed();
  };
  const timer = setInterval(check, CHECK_MS).unref();
  return () => clearInterval(timer);
}

/** Differs after a write, and after another file has taken the name; the same for all missing files. */
export function stateOfFile(path: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return 'missing';
  }
}
