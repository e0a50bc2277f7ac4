/** Probes the sources at intervals, so that an outage is reported even if no request comes. */
import type { Schema } from '../../engine/index.js';
import type { PoolState, SourceState } from '../../workers/protocol.js';
import { probeWithin } from '../dispatcher/ask-within.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import type { Observe } from '../observe.js';

/** A check that takes longer is abandoned. */
const CHECK_MS = 2500;
/** If a request has waited this long for a connection, the connections are exhausted. */
const EXHAUSTED_MS = 1000;

export interface SourceWatchOptions {
  readonly schema: Schema;
  /** 0: never. */
  readonly sourceCheckMs: number;
  readonly observe: Observe;
}

/** Whether a source can be used, as last seen. */
export interface SourceHealth {
  readonly name: string;
  readonly dialect: string;
  /** `exhausted`: it answers, but requests wait because all connections are in use. */
  readonly state: 'unknown' | 'ready' | 'read-only' | 'exhausted' | 'away';
  readonly cause?: string | undefined;
  /** When the state began, as ISO 8601. */
  readonly since: string;
}

export type SourceWatch = ReturnType<typeof watchSources>;

export function watchSources(
  dispatcher: Dispatcher,
  { schema, sourceCheckMs, observe }: SourceWatchOptions,
) {
  const start = new Date().toISOString();
  const health = new Map(
    schema.sources.map(({ name, dialect }): [string, SourceHealth] => {
      return [name, { name, dialect, state: 'unknown', since: start }];
    }),
  );
  let isChecking = false;
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    const probing = probeWithin(dispatcher, CHECK_MS);
    const [states = [], reports] = await Promise.all([probing, dispatcher.countWorkers()]);
    isChecking = false;
    const pools = reports.flatMap((report) => report.pools);
    for (const state of states) saw(state, pools);
  };
  const saw = (seen: SourceState, pools: readonly PoolState[]): void => {
    const { name, state: answered, cause: why, reason } = seen;
    const before = health.get(name);
    if (!before) return;
    const isFull = pools.some(
      ({ source, waitingMs }) => source === name && waitingMs > EXHAUSTED_MS,
    );
    // Without a cause, there was no connection to ask the database.
    const isExhausted = isFull && (answered !== 'away' || why === undefined);
    const state = isExhausted ? 'exhausted' : answered;
    const cause = state === 'away' ? (why ?? SILENT) : isExhausted ? EXHAUSTED : undefined;
    if (before.state === state && before.cause === cause) return;
    const since = state === before.state ? before.since : new Date().toISOString();
    health.set(name, { name, dialect: before.dialect, state, since, cause });
    const isFirst = before.state === 'unknown' && state === 'ready';
    if (!isFirst) observe({ kind: 'source-state', source: name, state, cause, reason });
  };
  const timer =
    sourceCheckMs > 0 ? setInterval(() => void check(), sourceCheckMs).unref() : undefined;
  return {
    get sources(): readonly SourceHealth[] {
      return [...health.values()];
    },
    close: (): void => clearInterval(timer),
  };
}

const SILENT = 'The database did not answer in time.';
const EXHAUSTED = 'All connections are in use, and requests wait for one.';
