/** How much of the machine's processors is idle. */
import { readFileSync } from 'node:fs';

/** The columns of the time in which a processor has nothing to do (proc(5), /proc/stat). */
const IDLE = 3;
const WAITS_FOR_DISK = 4;

interface Ticks {
  readonly idle: number;
  readonly all: number;
}

/** The share of their time in which the processors had nothing to do since the last call, from 0 to 1. */
export class IdleProcessors {
  #before = readTicks();

  /** 1 where the system does not tell. */
  take(): number {
    const now = readTicks();
    const before = this.#before;
    this.#before = now;
    if (!now || !before || now.all <= before.all) return 1;
    return (now.idle - before.idle) / (now.all - before.all);
  }
}

function readTicks(): Ticks | undefined {
  try {
    // The line begins with "cpu". Later columns are parts of the earlier ones.
    const [first = ''] = readFileSync('/proc/stat', 'latin1').split('\n', 1);
    const ticks = first.trim().split(/\s+/).slice(1, 9).map(Number);
    const idle = (ticks[IDLE] ?? 0) + (ticks[WAITS_FOR_DISK] ?? 0);
    return { idle, all: ticks.reduce((sum, each) => sum + each, 0) };
  } catch {
    return undefined;
  }
}
