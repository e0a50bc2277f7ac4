/** Overload, and expensive queries, take little from the requests that can be answered. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { askWire } from '../support/http-client.js';
import { describeServers } from '../support/http-servers.js';
import { LOOSER } from '../support/looser.js';
import { describeMariadb } from '../support/mariadb.js';
import {
  executeRequest,
  type Outcome,
  percentile99,
  sendAtRate,
  sendInTurn,
} from '../support/open-load.js';
import type { Program } from '../support/program.js';
import { startMariadbRows } from './mariadb-rows.js';
import { type StreamsFixture, startStreamsFixture } from './streams-fixture.js';

/** One worker, and so few connections that their statements leave the clients a part of the two processors. */
const few = ['--workers', '1', '--connections', '3', '--expected-wait-ms', '10'];
const CLIENTS = 16;
/** So few that none is refused: clients that ask again at once would take most of the processors. */
const FEW_CLIENTS = 4;
const FOR_MS = 2500;
/** Thousands of single rows are read in less time. */
const EACH_MS = 1500;
/** The part of the highest rate that remains. */
const GOODPUT = 0.9 / LOOSER;
/** How much longer 99 of 100 answers may take under overload than at four fifths of the highest rate. */
const OVERLOADED = 3 * LOOSER;
/** Clients of an expensive query, and what they leave to others. */
const EXPENSIVE_CLIENTS = 32;
const RATE = 1 / 3 / LOOSER;
const BESIDE_MS = 250 * LOOSER;
/** The same for many connections at once: half of them are answered within a tenth of it where nothing else runs. */
const CONNECTIONS = 1000;
const MANY_BESIDE_MS = 500 * LOOSER;
/** How often a new short query is sent beside clients that send a different expensive query each time, and its median. */
const NEW_EACH_MS = 100;
const NEW_MS = 1000 * LOOSER;
/** The rows of a write, and the part of the highest rate that remains: the time of a commit varies. */
const WRITTEN_ROWS = 2000;
const WRITE_GOODPUT = 0.5 / LOOSER;
/** How long a write may wait. Half of the refusals come much sooner. */
const WRITE_WAIT_MS = 5000;
const REFUSED_MS = WRITE_WAIT_MS / 5;

type Fixture = Pick<StreamsFixture, 'start' | 'stopPrograms' | 'stop'>;

describe('on PostgreSQL', () => {
  const fixture = useFixture(startStreamsFixture);
  describeServers('the program on %s', (httpServer) => {
    const start = (flags: readonly string[] = []) =>
      fixture().start(['--http-server', httpServer, ...flags]);
    testOverload(start);
    testExpensive(start);
    testNewExpensive(start);
    testConnections(start);
  });
  testWrites((flags) => fixture().start(flags));
  testWrites((flags) => fixture().start(flags), 'writes with keys');
});

describeMariadb('the program', () => {
  const fixture = useFixture(startMariadbRows);
  const start = (flags: readonly string[] = []) => fixture().start(flags);
  testOverload(start);
  testWrites(start);
  testExpensive(start);
});

/** Starts a fixture for a suite, and stops its programs after each test. */
function useFixture(start: () => Promise<Fixture>): () => Fixture {
  let fixture: Fixture | undefined;
  beforeAll(async () => {
    fixture = await start();
  });
  afterEach(() => fixture?.stopPrograms());
  afterAll(() => fixture?.stop());
  return () => {
    expect.assert(fixture);
    return fixture;
  };
}

type Start = (flags?: readonly string[]) => Promise<Program>;

function testOverload(start: Start): void {
  // The rate of a shared machine changes between the measurements: a fault fails each time.
  test('keeps its rate and its latency at five times the load', { retry: 2 }, async () => {
    const program = await start(few);
    const query = 'Many.filter(p=>p.id>n && p.id<=60000).map(p=>({n: count(1)}))';
    const request = (n: number) => executeRequest(query, { n: n % 500 });
    const load = { port: program.port, request };
    await sendInTurn(load, FEW_CLIENTS, FOR_MS / 2);
    // What refuses requests is also compiled before the measurement.
    await sendInTurn(load, CLIENTS, FOR_MS / 2);
    const peak = await sendInTurn(load, FEW_CLIENTS, FOR_MS);
    const usual = await sendAtRate(load, 0.8 * peak.goodput, FOR_MS);
    const overload = await sendAtRate(load, 5 * peak.goodput, FOR_MS);
    const again = await sendInTurn(load, FEW_CLIENTS, FOR_MS);
    report([peak, usual, overload, again]);
    expect(await program.stop()).toBe(0);
    expect([...overload.others.keys()]).toEqual([503]);
    const highest = Math.min(peak.goodput, again.goodput);
    expect(overload.goodput / highest).toBeGreaterThan(GOODPUT);
    expect(percentile99(overload) / percentile99(usual)).toBeLessThan(OVERLOADED);
  });
}

function testWrites(start: Start, kind: 'writes' | 'writes with keys' = 'writes'): void {
  test(`refuses ${kind} at once at five times the load`, { retry: 2 }, async () => {
    const { port } = await start([...few, '--queue-wait-ms', String(WRITE_WAIT_MS)]);
    const query = 'Many.filter(p=>p.id>n && p.id<=m).update({name: name})';
    const request = (n: number) => {
      const first = (n * WRITTEN_ROWS) % 90_000;
      const data = { n: first, m: first + WRITTEN_ROWS, name: `name ${n}` };
      const headers = kind === 'writes' ? [] : [`idempotency-key: ${randomUUID()}`];
      return executeRequest(query, data, headers);
    };
    const load = { port, request };
    await sendInTurn(load, CLIENTS, FOR_MS / 2);
    const peak = await sendInTurn(load, CLIENTS, FOR_MS / 2);
    const overload = await sendAtRate(load, 5 * peak.goodput, FOR_MS);
    const again = await sendInTurn(load, CLIENTS, FOR_MS / 2);
    report([peak, overload, again]);
    const { otherTimes } = overload;
    const refusedMs = otherTimes[otherTimes.length >> 1] ?? Number.NaN;
    console.log(`${otherTimes.length} refused, half of them within ${refusedMs.toFixed(1)} ms`);
    expect([...overload.others.keys()]).toEqual([503]);
    expect(refusedMs).toBeLessThan(REFUSED_MS);
    expect(overload.goodput / Math.min(peak.goodput, again.goodput)).toBeGreaterThan(WRITE_GOODPUT);
  });
}

function testExpensive(start: Start): void {
  test('reads single rows beside clients of an expensive query', { retry: 2 }, async () => {
    const usual = await start();
    const { port } = usual;
    const cheap = { port, request: pointRead };
    const expensive = { port, request: expensiveRead };
    await sendInTurn(cheap, CLIENTS, EACH_MS / 2);
    const alone = await sendInTurn(cheap, CLIENTS, EACH_MS);
    const [beside, sums] = await Promise.all([
      sendInTurn(cheap, CLIENTS, 2 * EACH_MS),
      sendInTurn(expensive, EXPENSIVE_CLIENTS, 2 * EACH_MS),
    ]);
    const again = await sendInTurn(cheap, CLIENTS, EACH_MS);
    report([alone, beside, sums, again]);
    expect(await usual.stop()).toBe(0);
    expect([...beside.others.keys()]).toEqual([]);
    expect(percentile99(beside)).toBeLessThan(BESIDE_MS);
    expect(beside.goodput / Math.min(alone.goodput, again.goodput)).toBeGreaterThan(RATE);
    expect(sums.times.length).toBeGreaterThan(0);
  });
}

function testNewExpensive(start: Start): void {
  test('answers new short queries beside clients that send a different expensive one each time', {
    retry: 2,
  }, async () => {
    const usual = await start();
    const { port } = usual;
    let isOver = false;
    const fresh: Promise<{ readonly status: number; readonly ms: number }>[] = [];
    const askFresh = async (): Promise<void> => {
      while (!isOver) {
        await sleep(NEW_EACH_MS);
        fresh.push(askTimed(usual, newRead(fresh.length)));
      }
    };
    await sendInTurn({ port, request: pointRead }, CLIENTS, EACH_MS);
    const asking = askFresh();
    const [beside, sums] = await Promise.all([
      sendInTurn({ port, request: pointRead }, CLIENTS, 3 * EACH_MS),
      sendInTurn({ port, request: newExpensiveRead }, EXPENSIVE_CLIENTS, 3 * EACH_MS),
    ]);
    isOver = true;
    await asking;
    const answers = await Promise.all(fresh);
    const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const medianMs = times[times.length >> 1] ?? Number.NaN;
    const refused = answers.filter(({ status }) => status !== 200).length;
    report([beside, sums]);
    console.log(
      `new queries: median ${medianMs.toFixed(0)} ms, ${refused} of ${times.length} refused`,
    );
    expect(await usual.stop()).toBe(0);
    expect([...beside.others.keys()]).toEqual([]);
    expect(medianMs).toBeLessThan(NEW_MS);
    expect(refused).toBeLessThan(0.05 * times.length);
    expect(sums.times.length).toBeGreaterThan(0);
  });
}

function testConnections(start: Start): void {
  test('answers a thousand connections beside clients of an expensive query', {
    retry: 2,
  }, async () => {
    const usual = await start();
    const { port } = usual;
    const cheap = { port, request: pointRead };
    const alone = await sendInTurn(cheap, CONNECTIONS, EACH_MS);
    const [beside, sums] = await Promise.all([
      sendInTurn(cheap, CONNECTIONS, 3 * EACH_MS),
      sendInTurn({ port, request: expensiveRead }, EXPENSIVE_CLIENTS, 3 * EACH_MS),
    ]);
    const again = await sendInTurn(cheap, CONNECTIONS, EACH_MS);
    report([alone, beside, sums, again]);
    expect(await usual.stop()).toBe(0);
    expect([...beside.others.keys()]).toEqual([]);
    // A slow machine may need longer than that for the first requests of so many connections alone.
    const longestMs = Math.max(MANY_BESIDE_MS, percentile99(alone));
    expect(percentile99(beside)).toBeLessThan(longestMs);
    expect(beside.goodput / Math.min(alone.goodput, again.goodput)).toBeGreaterThan(RATE);
    expect(sums.times.length).toBeGreaterThan(0);
  });
}

function pointRead(n: number): string {
  const query = 'Many.filter(p=>p.id==id).map(p=>p.id)';
  return executeRequest(query, { id: 1 + (n % 9000) });
}

function expensiveRead(n: number): string {
  const query = 'Many.filter(p=>p.id>n).map(p=>({t: sum(p.amount*p.amount)}))';
  return executeRequest(query, { n: n % 500 });
}

/** Each is a different query: what differs is not in a filter. */
function newExpensiveRead(n: number): string {
  const counts = [3, n + 4, 5].map((factor, at) => `c${at}:count(distinct(p.amount*${factor}))`);
  return executeRequest(`Many.map(p=>({${counts.join()}}))`, {});
}

function newRead(n: number): object {
  return { query: `Many.filter(p=>p.id==id).map(p=>({n${n}:p.id}))`, data: { id: 1 + (n % 9000) } };
}

async function askTimed({ base }: Program, body: object) {
  const at = performance.now();
  const { status } = await askWire(base, '/execute', { body });
  return { status, ms: performance.now() - at };
}

function report(outcomes: readonly Outcome[]): void {
  const rates = outcomes.map(
    (each) => `${Math.round(each.goodput)}/s, p99 ${percentile99(each).toFixed(1)} ms`,
  );
  console.log(rates.join('; '));
}
