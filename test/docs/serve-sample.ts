/** Serves the sample domain by the program itself, on a free port, in a temporary folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { makeTemporaryDirectory } from '../support/embedded.js';

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface ServedSample {
  readonly base: string;
  stop(): Promise<void>;
}

/** Rejects when the program ends before it listens. */
export async function serveSample(): Promise<ServedSample> {
  const directory = makeTemporaryDirectory();
  const words = [program, 'serve', '--port', '0', '--data-dir', directory];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, port } = JSON.parse(line);
    if (event !== 'listening') continue;
    child.stdout.resume();
    return { base: `http://127.0.0.1:${port}`, stop };
  }
  await stop();
  throw new Error('The program ended before it listened.');
}
