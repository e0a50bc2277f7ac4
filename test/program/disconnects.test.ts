/**
 * Clients that disconnect or stop reading, time limits, and errors in the middle of rows, on both
 * servers.
 */
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HALF_CLOSED_MS } from '../../src/gateway/http/exchange.js';
import { connectRaw, rawPost } from '../http/raw-client.js';
import { withClient } from '../support/embedded.js';
import { openRequest } from '../support/http-client.js';
import { describeServersInParallel } from '../support/http-servers.js';
import { LOOSER } from '../support/looser.js';
import { ask, type Program, rowsOf, until } from '../support/program.js';
import {
  MANY_ROWS,
  OVERFLOWING,
  type StreamsFixture,
  startStreamsFixture,
} from './streams-fixture.js';

const DISCONNECTS = 100;
const HALF_CLOSED_EACH = 16;
const CANCELLED_WITHIN_MS = 250 * LOOSER;
/**
 * A cancel opens a connection, sends a message, and takes effect: on a busy machine, each is as slow as
 * a round trip.
 */
const TRIPS = 3;
const CONNECTIONS = 8;

// The servers wait for half-closed clients at the same time, each with a database of its own.
describeServersInParallel('the program on %s', (httpServer) => {
  let fixture: StreamsFixture;
  let program: Program;
  beforeAll(async () => {
    fixture = await startStreamsFixture();
    program = await start([]);
  });
  afterAll(() => fixture.stop());
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
    await until('its connections are closed', async () => (await fixture.connections()) === 0);
  });

  const start = (flags: readonly string[]) =>
    fixture.start(['--http-server', httpServer, '--connections', String(CONNECTIONS), ...flags]);

  /**
   * What the client of a request may leave behind: rows that it does not read, a wait for a lock, or a
   * long statement.
   */
  const kinds: readonly Kind[] = [
    { query: 'Noise', reads: false },
    { query: 'Many.include(p=>p.noise)', reads: false },
    { query: 'Naps', reads: true },
    { query: 'Notes.count()' },
    { query: 'Notes.filter(p=>p.id==id)', data: { id: 1 } },
  ];
  /** The server waits for a client that has only closed its sending side, so there are few of these. */
  const halfClosed: Kind = {
    query: 'Notes.insert()',
    data: { name: 'never stored' },
    waitedMs: HALF_CLOSED_MS,
  };

  test(`cancels the statements of ${DISCONNECTS} clients that disconnect, each at once`, async () => {
    await whileLocked('notes', async () => {
      const times: number[] = [];
      const trips: number[] = [];
      for (let i = 0; i < DISCONNECTS; i += 1) {
        const kind = i % HALF_CLOSED_EACH === 0 ? halfClosed : kinds[i % kinds.length];
        trips.push(await timeOfRoundTrip());
        if (kind) times.push((await timeOfDisconnect(kind)) - (kind.waitedMs ?? 0));
      }
      expect(percentile99(times)).toBeLessThan(CANCELLED_WITHIN_MS + TRIPS * percentile99(trips));
    });
    expect(await rowsOf(program, 'Notes.count()')).toEqual([{ count: 0 }]);
    await isClean();
  });

  test('cancels the common statement of many clients when all of them have disconnected', async () => {
    const query = 'Notes.filter(p=>p.id==id).map(p=>p.name)';
    const ids = Array.from({ length: 40 }, (_, index) => index);
    // The batcher learns how long the plan takes.
    await Promise.all(ids.map((id) => rowsOf(program, query, { id })));
    await whileLocked('notes', async () => {
      const aborts = ids.map((id) => {
        const control = new AbortController();
        const body = JSON.stringify({ query, data: { id } });
        const headers = { 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body, signal: control.signal };
        void fetch(`${program.base}/execute`, init).catch(() => undefined);
        return control;
      });
      await until('statements wait', async () => (await busy()) > 0);
      const trips: number[] = [];
      while (trips.length < ids.length) trips.push(await timeOfRoundTrip());
      const begin = performance.now();
      for (const control of aborts) control.abort();
      await until('they have ended', async () => (await busy()) === 0);
      expect(performance.now() - begin).toBeLessThan(
        CANCELLED_WITHIN_MS + TRIPS * Math.max(...trips),
      );
    });
    await isClean();
  });

  test('stops a statement at its time limit after the first rows, and cuts the answer', async () => {
    const limited = await start(['--statement-timeout-ms', '500']);
    const answer = await openRequest(limited.base, '/execute', { body: { query: 'Naps' } });
    expect(answer.status).toBe(200);
    await expect(buffer(answer.message)).rejects.toThrow();
    await until('the statement has ended', async () => (await busy()) === 0);
    expect(await brokenOf(limited)).toMatchObject({ code: 'statement-timeout' });
    expect(await rowsOf(limited, 'Notes.count()')).toEqual([{ count: 0 }]);
    expect(await limited.stop()).toBe(0);
  });

  test('cuts streamed answers when the drain time is over', async () => {
    const stopped = await start(['--drain-timeout-ms', '500']);
    const slow = await openRequest(stopped.base, '/execute', { body: { query: 'Noise' } });
    slow.message.pause();
    const napping = await openRequest(stopped.base, '/execute', { body: { query: 'Naps' } });
    const read = expect(buffer(napping.message)).rejects.toThrow();
    await until('both are at work', async () => (await busy()) === 2);
    const begin = performance.now();
    expect(await stopped.stop()).toBe(0);
    expect(performance.now() - begin).toBeLessThan(20_000);
    await read;
    await expect(buffer(slow.message)).rejects.toThrow();
    await until('the statements have ended', async () => (await busy()) === 0);
  });

  test('disconnects a client that reads nothing', async () => {
    const impatient = await start(['--write-stall-ms', '500']);
    const slow = await openRequest(impatient.base, '/execute', { body: { query: 'Noise' } });
    slow.message.pause();
    await until('the statement is held back', async () => (await busy()) === 1);
    await until('it has ended', async () => (await busy()) === 0);
    await expect(buffer(slow.message)).rejects.toThrow();
    expect(await impatient.stop()).toBe(0);
  });

  test.each(['application/json', 'text/csv'])(
    'cuts off a body of %s if an error occurs after the first byte',
    async (accept) => {
      const id = `broken-${httpServer}-${accept}`;
      const query = `Many.map(p=>({id:p.id,r:p.id+${OVERFLOWING}}))`;
      const client = await connectRaw(program.port);
      const headers = [`accept: ${accept}`, `x-request-id: ${id}`];
      client.send(rawPost('/execute', JSON.stringify({ query }), headers));
      const text = await client.closed();
      expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(text.toLowerCase()).toContain('transfer-encoding: chunked');
      expect(text.length).toBeGreaterThan(1_000_000);
      // A row that ends with 0 at the end of its chunk differs from the last chunk only in the
      // preceding line end.
      expect(text.endsWith('\r\n0\r\n\r\n')).toBe(false);
      expect(await brokenOf(program, id)).toMatchObject({ code: 'value-out-of-range' });
      await isClean();
    },
  );

  /** Every connection is idle, there are no more than configured, and queries are answered. */
  async function isClean(): Promise<void> {
    await until('all is at rest', async () => (await busy()) === 0);
    expect(await fixture.connections()).toBeLessThanOrEqual(CONNECTIONS);
    expect(await rowsOf(program, 'Many.count()')).toEqual([{ count: MANY_ROWS }]);
  }

  /** The time from the client's disconnection to the end of its statement, in milliseconds. */
  async function timeOfDisconnect({ query, data, reads }: Kind): Promise<number> {
    const client = await connectRaw(program.port);
    if (reads !== true) client.socket.pause();
    client.send(rawPost('/execute', JSON.stringify({ query, data })));
    await until('the statement waits', async () => (await busy('wait_event IS NOT NULL')) === 1);
    const begin = performance.now();
    client.end();
    await until('it has ended', async () => (await busy()) === 0);
    return performance.now() - begin;
  }

  /** The duration of an empty request plus a database query, in milliseconds. */
  async function timeOfRoundTrip(): Promise<number> {
    const begin = performance.now();
    await ask(program, '/livez');
    await busy();
    return performance.now() - begin;
  }

  /** The number of the program's connections that are running a statement. */
  function busy(also = 'true'): Promise<number> {
    return fixture.connections(`state <> 'idle' AND ${also}`);
  }

  /** Runs `work` while the table is locked against all other readers. */
  async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
    await withClient(fixture.connection, async (client) => {
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      await work();
      await client.query('ROLLBACK');
    });
  }
});

interface Kind {
  readonly query: string;
  readonly data?: unknown;
  /** Whether the client reads the answer. */
  readonly reads?: boolean;
  /** How long the server waits for the client after it has closed its sending side, in milliseconds. */
  readonly waitedMs?: number;
}

function percentile99(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(0.99 * sorted.length) - 1] ?? Number.NaN;
}

/** The log entry of the program about an answer that it could not finish. */
function brokenOf({ log }: Program, requestId?: string) {
  return until('the fault is logged', () =>
    log.find(
      (line) =>
        line['isCut'] === true && (requestId === undefined || line['requestId'] === requestId),
    ),
  );
}
