/** Rowgate's memory under full load for minutes: flat, or not. */
import type { BenchContext } from './bench-context.js';
import type { BenchCase } from './cases/case.js';
import { checkContestant } from './cases/ask-server.js';
import { startContestant } from './contestants.js';
import { residentBytes } from './measure/process-table.js';

const CONNECTIONS = 64;
const SLICE_SECONDS = 10;
const SECONDS_IN_MINUTE = 60;

/** Resident memory, at the end of each minute. */
export interface Soak {
  readonly requests: number;
  readonly bytesByMinute: readonly number[];
}

export async function runSoak(context: BenchContext, pointCase: BenchCase): Promise<Soak> {
  const { options, database, directory, constant, runLoad, say } = context;
  const { rowgateWords, soakMinutes } = options;
  const { connection } = database;
  const settings = { connection, rowgateWords, profileDirectory: undefined, constant };
  const rowgate = await startContestant('rowgate', settings);
  const { url, process } = rowgate;
  try {
    await checkContestant(pointCase, rowgate);
    const bytesByMinute: number[] = [];
    let requests = 0;
    for (let minute = 1; minute <= soakMinutes; minute += 1) {
      for (let second = 0; second < SECONDS_IN_MINUTE; second += SLICE_SECONDS) {
        const order = { url, requests: pointCase.requests, connections: CONNECTIONS, directory };
        const load = await runLoad({ ...order, seconds: SLICE_SECONDS });
        requests += load.requestsPerSecond * SLICE_SECONDS;
      }
      const bytes = residentBytes(process.pid) ?? Number.NaN;
      bytesByMinute.push(bytes);
      say(`soak: minute ${minute}: ${(bytes / 1024 / 1024).toFixed(0)} MiB`);
    }
    return { requests, bytesByMinute };
  } finally {
    await process.stop();
  }
}
