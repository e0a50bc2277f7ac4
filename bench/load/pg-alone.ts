/** The process that reads through pg, one read at a time. It ends with its parent process. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DatabaseConnection } from '../database.js';
import { processorUs } from '../measure/process-table.js';
import type { AloneSummary } from '../servers/pg-alone.js';
import type { LoadResult } from './load.js';

const GRACE_MS = 20_000;

export interface PgAloneOrder {
  readonly connection: DatabaseConnection;
  /** A statement with one placeholder, `$1`. */
  readonly statement: string;
  /** The values of the placeholder go from 1 to this number. */
  readonly idMax: number;
}

export interface PgAlone {
  run(seconds: number): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startPgAlone({ connection, statement, idMax }: PgAloneOrder): PgAlone {
  const script = fileURLToPath(new URL('../servers/pg-alone.js', import.meta.url));
  const child = fork(script, [JSON.stringify(connection), statement, String(idMax)]);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    run: (seconds) => readFor(child, seconds),
    stop: () => {
      if (child.connected) child.disconnect();
      return ended;
    },
  };
}

async function readFor(child: ChildProcess, seconds: number): Promise<LoadResult> {
  const { pid = 0 } = child;
  const before = processorUs(pid) ?? 0;
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(seconds * 1000 + GRACE_MS)]);
  const onExit = () => abort.abort(new Error('The process that reads through pg has ended.'));
  child.once('exit', onExit);
  try {
    const answer = once(child, 'message', { signal });
    child.send(seconds);
    const [summary]: AloneSummary[] = await answer;
    if (summary === undefined)
      throw new Error('The process that reads through pg printed no result.');
    return { ...summary, processorUs: (processorUs(pid) ?? before) - before };
  } finally {
    child.off('exit', onExit);
  }
}
