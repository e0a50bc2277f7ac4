/** Notices that a file has changed. Node's `watchFile` would miss a change before its first check. */
import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** How often the file is checked. */
const CHECK_MS = 1000;

/** `known` is the state of the file before it was read. Returns a function that ends the checks. */
export function watchChanges(path: string, known: string, changed: () => void): () => void {
  let last = known;
  let isChecking = false;
  let isClosed = false;
  // Asynchronous, because a file system that does not answer must not block the thread.
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    const state = stateText(await stat(path, { bigint: true }).catch(() => undefined));
    isChecking = false;
    if (isClosed || state === last) return;
    last = state;
    changed();
  };
  const timer = setInterval(() => void check(), CHECK_MS).unref();
  return () => {
    isClosed = true;
    clearInterval(timer);
  };
}

/** A text that differs after a write, and after another file has taken the name. All missing files have the same. */
export function stateOfFile(path: string): string {
  try {
    return stateText(statSync(path, { bigint: true }));
  } catch {
    return stateText(undefined);
  }
}

function stateText(stats: BigIntStats | undefined): string {
  if (!stats) return 'missing';
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
