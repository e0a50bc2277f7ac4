/**
 * Keeps the server of a cluster running. If it ends unexpectedly (killed for lack of memory, for
 * example), it is restarted in the same place, a limited number of times in a row.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterOf } from './cluster.js';
import { stopOrphan } from './orphan.js';
import { type RunningServer, runServer, type ServerOrder } from './run-server.js';

/** After this time, the attempts to restart the server are counted from zero again. */
const STEADY_MS = 60_000;
const ATTEMPTS_MAX = 8;
const BACK_OFF_FIRST_MS = 100;
const BACK_OFF_LAST_MS = 5_000;

/** What happened to a running server. */
export type ServerEvent =
  /** The server ended or could not be restarted. The next attempt follows after `retryMs`. */
  | { readonly kind: 'database-lost'; readonly reason: string; readonly retryMs: number }
  | { readonly kind: 'database-restarted'; readonly attempts: number }
  /** There will be no further attempts. */
  | { readonly kind: 'database-given-up'; readonly reason: string };

/** Starts the server as `runServer` does, and restarts it whenever it ends by itself. `stop` stops it for good. */
export async function keepServer(
  order: ServerOrder,
  report: (event: ServerEvent) => void,
): Promise<Pick<RunningServer, 'socketDirectory' | 'stop'>> {
  const closing = new AbortController();
  let running: RunningServer | undefined = await runServer(order);
  const { socketDirectory } = running;
  const again = { ...order, socketDirectory };
  const kept = (async () => {
    let attempts = 0;
    let startedAt = performance.now();
    let reason = await running?.ended;
    while (!closing.signal.aborted && reason !== undefined) {
      if (running && performance.now() - startedAt > STEADY_MS) attempts = 0;
      running = undefined;
      attempts += 1;
      if (attempts > ATTEMPTS_MAX) return report({ kind: 'database-given-up', reason });
      const retryMs = Math.min(BACK_OFF_FIRST_MS * 2 ** (attempts - 1), BACK_OFF_LAST_MS);
      report({ kind: 'database-lost', reason, retryMs });
      await sleep(retryMs, undefined, { signal: closing.signal, ref: false }).catch(
        () => undefined,
      );
      if (closing.signal.aborted) return;
      startedAt = performance.now();
      try {
        // If only the watchdog was killed, the server is still running.
        await stopOrphan(clusterOf(order.dataDirectory));
        running = await runServer(again);
        report({ kind: 'database-restarted', attempts });
        if (closing.signal.aborted) return;
        reason = await running.ended;
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
    }
  })();
  return {
    socketDirectory,
    stop: async () => {
      closing.abort();
      await running?.stop();
      await kept;
      // Stops a server that was started in the meantime.
      await running?.stop();
    },
  };
}
