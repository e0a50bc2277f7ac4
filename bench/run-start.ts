/** Measures how long Rowgate takes from its start until it is ready. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchContext } from './bench-context.js';
import { becomeReady } from './contestants.js';
import { freePort } from './free-port.js';
import { makeTemporaryDirectory } from './database.js';
import { median } from './measure/statistics.js';
import { rowgateEnvironment, rowgateProgram } from './rowgate-program.js';
import { startProcess } from './run-process.js';

/** Medians, in milliseconds. */
export interface StartTimes {
  /** A new embedded database with the sample rows. */
  readonly coldMs: number;
  /** The embedded database of an earlier run. */
  readonly warmMs: number;
  /** A database that is already running. */
  readonly onDatabaseMs: number;
}

export async function runStart({ options, database }: BenchContext): Promise<StartTimes> {
  const cold: number[] = [];
  const warm: number[] = [];
  const onDatabase: number[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    const directory = makeTemporaryDirectory();
    const embedded = {
      environment: { DATABASE_URL: '' },
      words: ['--data-dir', join(directory, 'postgresql')],
    };
    try {
      cold.push(await timeStart(embedded));
      warm.push(await timeStart(embedded));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
    const environment = rowgateEnvironment(database.connection);
    onDatabase.push(await timeStart({ environment, words: [] }));
  }
  return { coldMs: median(cold), warmMs: median(warm), onDatabaseMs: median(onDatabase) };
}

interface Start {
  readonly environment: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

async function timeStart({ environment, words }: Start): Promise<number> {
  const port = await freePort();
  const before = performance.now();
  const running = await startProcess({
    program: process.execPath,
    words: [rowgateProgram, 'serve', '--port', String(port), ...words],
    environment,
  });
  try {
    await becomeReady(`http://127.0.0.1:${port}`, running);
    return performance.now() - before;
  } finally {
    await running.stop();
  }
}
