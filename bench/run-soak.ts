/** Rowgate's memory under full load for minutes: does it grow? */
import type { BenchContext } from './bench-context.js';
import type { BenchCase } from './cases/case.js';
import { checkContestant } from './cases/ask-server.js';
import { withRowgate } from './contestants.js';
import { residentBytes } from './measure/process-table.js';

const CONNECTIONS = 64;
const SLICE_SECONDS = 10;
const SECONDS_IN_MINUTE = 60;

/** Resident memory at the end of each minute. */
export interface Soak {
  readonly requests: number;
  readonly bytesByMinute: readonly number[];
}

export function runSoak(context: BenchContext, pointCase: BenchCase): Promise<Soak> {
  const { options, directory, runLoad, say } = context;
  return withRowgate(context, async (rowgate) => {
    const { url, process } = rowgate;
    await checkContestant(pointCase, rowgate);
    const bytesByMinute: number[] = [];
    let requests = 0;
    for (let minute = 1; minute <= options.soakMinutes; minute += 1) {
      for (let second = 0; second < SECONDS_IN_MINUTE; second += SLICE_SECONDS) {
        const order = { url, requests: pointCase.requests, connections: CONNECTIONS, directory };
        requests += (await runLoad({ ...order, seconds: SLICE_SECONDS })).requests;
      }
      const bytes = residentBytes(process.pid) ?? Number.NaN;
      bytesByMinute.push(bytes);
      say(`soak: minute ${minute}: ${(bytes / 1024 / 1024).toFixed(0)} MiB`);
    }
    return { requests, bytesByMinute };
  });
}
