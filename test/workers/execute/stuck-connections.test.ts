/** Long reads on shared connections while there is no other connection for them, and which of these requests can take. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCancellation } from '../../../src/workers/cancellation.js';
import { Pool } from '../../../src/workers/database/pool.js';
import { SharedConnections } from '../../../src/workers/execute/shared-connections.js';
import { until } from '../../support/program.js';
import { SerialConnection, workOf } from './serial-connection.js';

const LONG_MS = 3000;

type Busy = (
  shared: SharedConnections,
  pool: Pool,
  opened: readonly SerialConnection[],
) => Promise<unknown>;

/** Runs `work` with shared connections of a pool of this size. Before it, `busy` runs, and all other connections are leased. */
async function withShared(
  size: number,
  work: (shared: SharedConnections, opened: readonly SerialConnection[]) => Promise<void>,
  busy: Busy = () => Promise.resolve(),
): Promise<void> {
  const opened: SerialConnection[] = [];
  const connect = async () => {
    const connection = new SerialConnection();
    opened.push(connection);
    return connection;
  };
  const pool = new Pool({ connect, connectionsMax: size, waitMs: 60_000 });
  const shared = new SharedConnections({
    pool,
    statementTimeoutMs: 60_000,
    waitMs: 60_000,
    onRoom: () => undefined,
    onUnavailable: () => undefined,
  });
  await until('there is room', () => shared.hasRoom);
  const timer = setInterval(() => shared.tick(performance.now()), 10);
  try {
    await busy(shared, pool, opened);
    while (pool.use.inUse < size) await pool.take(createCancellation());
    await work(shared, opened);
  } finally {
    clearInterval(timer);
    for (const connection of opened) connection.destroy();
  }
}

/** Resolves to the error of a read of this length. */
const ended = (shared: SharedConnections, ms: number): Promise<unknown> =>
  new Promise((resolve) => shared.sendOrQueue(workOf(ms, resolve)));

test('short reads continue beside a long one on a connection that was shared already', () => {
  // Much work at once opens more shared connections.
  const busy = (shared: SharedConnections) =>
    Promise.all(Array.from({ length: 60 }, () => ended(shared, 2)));
  const work = async (shared: SharedConnections) => {
    const long = ended(shared, LONG_MS);
    await sleep(100);
    const begin = performance.now();
    const short: Promise<unknown>[] = [];
    for (let i = 0; i < 20; i += 1) {
      short.push(ended(shared, 1));
      await sleep(5);
    }
    expect(await Promise.all(short)).toEqual(short.map(() => undefined));
    expect(performance.now() - begin).toBeLessThan(LONG_MS / 2);
    expect(await long).toBeUndefined();
  };
  return withShared(4, work, busy);
});

test('stopping a long read whose client has left does not stop those behind it', () =>
  withShared(3, async (shared, [connection]) => {
    const long = workOf(LONG_MS, () => undefined);
    shared.sendOrQueue(long);
    const short = [1, 2, 3, 4, 5].map((ms) => ended(shared, ms));
    await sleep(50);
    const begin = performance.now();
    shared.cancel(long);
    expect(await Promise.all(short)).toEqual(short.map(() => undefined));
    expect(performance.now() - begin).toBeLessThan(LONG_MS / 2);
    expect(connection?.inFlight).toBe(0);
  }));

test('reads behind a long one are not sent again before that has ended', () =>
  withShared(3, async (shared, [connection]) => {
    const long = ended(shared, 300);
    const short = [1, 2, 3].map((ms) => ended(shared, ms));
    await sleep(150);
    expect(connection?.texts).toEqual(['300', '1', '2', '3']);
    expect(await Promise.all([long, ...short])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  }));

test('nothing is sent on a connection that stops its statements by itself', () =>
  withShared(3, async (shared, opened) => {
    const [connection] = opened;
    await ended(shared, 1);
    if (connection) connection.isStopping = true;
    const short = ended(shared, 1);
    await sleep(50);
    expect(connection?.texts).toEqual(['1']);
    if (connection) connection.isStopping = false;
    expect(await short).toBeUndefined();
  }));

test.each(['is lost', 'has a long read'])(
  'if the reserved connection %s, requests can hold all of the others',
  (happens) => {
    const busy: Busy = async (shared, pool, [reserved]) => {
      // Much work at once opens another shared connection.
      await Promise.all(Array.from({ length: 60 }, () => ended(shared, 2)));
      expect(pool.use.inUse).toBe(2);
      if (happens === 'is lost') reserved?.destroy();
      expect(await ended(shared, happens === 'is lost' ? 1 : 200)).toBeUndefined();
      const cancellation = createCancellation();
      setTimeout(() => cancellation.cancel(), 5000).unref();
      await Promise.all([pool.take(cancellation), pool.take(cancellation)]);
      // Short reads have the reserved one.
      expect(await ended(shared, 1)).toBeUndefined();
    };
    return withShared(3, () => Promise.resolve(), busy);
  },
);

test.each(['is lost', 'has a long read'])(
  'if the reserved connection %s, short reads keep another shared one, even if requests wait',
  (happens) => {
    const busy: Busy = async (shared, pool, [reserved]) => {
      await Promise.all(Array.from({ length: 60 }, () => ended(shared, 2)));
      const long = happens === 'is lost' ? undefined : ended(shared, 200);
      // Longer than a connection stays shared in any case.
      await sleep(100);
      if (happens === 'is lost') reserved?.destroy();
      const cancellation = createCancellation();
      const taken = [pool.take(cancellation), pool.take(cancellation)];
      expect(await ended(shared, 7)).toBeUndefined();
      await Promise.all([long, ...taken]);
    };
    const work = async (_: unknown, [, other]: readonly SerialConnection[]) => {
      expect(other?.texts).toContain('7');
    };
    return withShared(3, work, busy);
  },
);
