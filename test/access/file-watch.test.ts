/** Changes of watched files. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { stateOfFile, watchChanges } from '../../src/gateway/access/file-watch.js';
import { makeTemporaryDirectory } from '../support/embedded.js';

const folder = makeTemporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function newFile(): string {
  files += 1;
  const path = join(folder, `${files}.json`);
  writeFileSync(path, '[1]');
  return path;
}

describe('a change of the file', () => {
  const changes: Record<string, (path: string) => void> = {
    'a write': (path) => writeFileSync(path, '[1,2]'),
    'another file with its name': (path) => renameSync(newFile(), path),
    'its removal': (path) => rmSync(path),
  };

  it.each(Object.keys(changes))(
    'is noticed once, even directly after the start: %s',
    async (name) => {
      const path = newFile();
      let count = 0;
      const before = stateOfFile(path);
      changes[name]?.(path);
      const close = watchChanges(path, before, () => (count += 1));
      await expect.poll(() => count).toBe(1);
      await setTimeout(1500);
      close();
      expect(count).toBe(1);
    },
  );

  it('is not noticed by a check that had begun when the watch was closed', async () => {
    const path = newFile();
    let count = 0;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const close = watchChanges(path, 'another state', () => (count += 1));
      vi.advanceTimersByTime(1000);
      close();
    } finally {
      vi.useRealTimers();
    }
    await setTimeout(200);
    expect(count).toBe(0);
  });
});
