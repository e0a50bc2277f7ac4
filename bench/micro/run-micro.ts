/**
 * Runs the micro-benchmarks in a separate process, in which the garbage collector can be called.
 */
import { fileURLToPath } from 'node:url';
import { runProcess } from '../run-process.js';
import type { MicroResult } from './result.js';

const TIMEOUT_MS = 300_000;

export async function runMicro(): Promise<MicroResult> {
  const script = fileURLToPath(new URL('./main.js', import.meta.url));
  const order = { program: process.execPath, words: ['--expose-gc', script] };
  const { output } = await runProcess(order, TIMEOUT_MS);
  const result: MicroResult = JSON.parse(output);
  return result;
}
