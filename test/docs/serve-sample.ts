/** Serves the sample domain with the real program, on a free port and in a temporary folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { ask, until } from '../support/program.js';
import { startSampleServer } from '../support/sample-program.js';

const program = fileURLToPath(new URL('../../dist/program/rowgate.js', import.meta.url));

const READY_MS_MAX = 60_000;
const POLL_MS = 50;

export interface ServedSample {
  readonly base: string;
  stop(): Promise<void>;
}

/** Resolves when the program is ready. Rejects if it ends before, or takes too long. */
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
    const base = `http://127.0.0.1:${port}`;
    if (await becomesReady(base)) return { base, stop };
    await stop();
    throw new Error('The program did not become ready.');
  }
  await stop();
  throw new Error('The program ended before it listened.');
}

/** The same, with a copy of the sample on the server of the run. */
export async function serveCopy(): Promise<ServedSample> {
  const sample = await startSampleServer();
  const program = await sample.start(['--workers', '1']);
  await until('it is ready', async () => (await ask(program, '/readyz')).status === 200);
  const stop = async () => {
    await program.stop();
    await sample.stop();
  };
  return { base: program.base, stop };
}

/** On a busy machine, it takes a while until the workers and their connections are ready. */
async function becomesReady(base: string): Promise<boolean> {
  const deadline = performance.now() + READY_MS_MAX;
  while (performance.now() < deadline) {
    const response = await fetch(`${base}/readyz`);
    await response.arrayBuffer();
    if (response.ok) return true;
    await sleep(POLL_MS);
  }
  return false;
}
