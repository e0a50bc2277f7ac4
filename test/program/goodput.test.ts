/** Overload, and expensive queries, take little from the requests that can be answered. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { LOOSER } from '../support/looser.js';
import { type Outcome, percentile99, sendAtRate, sendInTurn } from '../support/open-load.js';
import type { Program } from '../support/program.js';
import { type StreamsFixture, startStreamsFixture } from './streams-fixture.js';

const WAIT_MS = 20;
const CLIENTS = 16;
const FOR_MS = 2500;
/** The part of the highest rate that remains. */
const GOODPUT = 0.9 / LOOSER;
/** More requests in a second would keep this process busy, which shares the processors. */
const SENT_MAX = 2000;
/**
 * In how many milliseconds 99 of 100 answers arrive under overload: about 100 where nothing else runs. Without
 * refusals it would be a multiple of the time in which requests are sent.
 */
const OVERLOADED_MS = 500 * LOOSER;
/** Clients of an expensive query, and what they leave to others. */
const EXPENSIVE_CLIENTS = 32;
const RATE = 1 / 3 / LOOSER;
const BESIDE_MS = 250 * LOOSER;
/** The same for many connections at once: half of them are answered within a tenth of it where nothing else runs. */
const CONNECTIONS = 1000;
const MANY_BESIDE_MS = 500 * LOOSER;

let fixture: StreamsFixture;
beforeAll(async () => {
  fixture = await startStreamsFixture();
});
afterAll(() => fixture.stop());

describeServers('the program on %s', (httpServer) => {
  let program: Program;
  beforeAll(async () => {
    const words = ['--http-server', httpServer, '--expected-wait-ms', String(WAIT_MS)];
    program = await fixture.start(words);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  // The rate of a shared machine changes between the measurements: a fault fails each time.
  test('keeps its rate at up to five times the load', { retry: 2 }, async () => {
    const query = 'Many.filter(p=>p.id>n && p.id<=20000).map(p=>({n: count(1)}))';
    const body = (n: number) => JSON.stringify({ query, data: { n: n % 500 } });
    const load = { port: program.port, body };
    await sendInTurn(load, CLIENTS, FOR_MS / 2);
    const peak = await sendInTurn(load, CLIENTS, FOR_MS);
    const usual = await sendAtRate(load, 0.8 * peak.goodput, FOR_MS);
    const rate = Math.min(5 * peak.goodput, Math.max(SENT_MAX, 2 * peak.goodput));
    const overload = await sendAtRate(load, rate, FOR_MS);
    const again = await sendInTurn(load, CLIENTS, FOR_MS);
    report([peak, usual, overload, again]);
    expect([...overload.others.keys()]).toEqual([503]);
    const highest = Math.min(peak.goodput, again.goodput);
    expect(overload.goodput / highest).toBeGreaterThan(GOODPUT);
    expect(percentile99(overload)).toBeLessThan(OVERLOADED_MS);
  });

  test('reads single rows beside clients of an expensive query', { retry: 2 }, async () => {
    const { port } = program;
    const cheap = { port, body: pointRead };
    const expensive = { port, body: expensiveRead };
    await sendInTurn(cheap, CLIENTS, FOR_MS / 2);
    const alone = await sendInTurn(cheap, CLIENTS, FOR_MS);
    const [beside, sums] = await Promise.all([
      sendInTurn(cheap, CLIENTS, 2 * FOR_MS),
      sendInTurn(expensive, EXPENSIVE_CLIENTS, 2 * FOR_MS),
    ]);
    const again = await sendInTurn(cheap, CLIENTS, FOR_MS);
    report([alone, beside, sums, again]);
    expect([...beside.others.keys()]).toEqual([]);
    expect(percentile99(beside)).toBeLessThan(BESIDE_MS);
    expect(beside.goodput / Math.min(alone.goodput, again.goodput)).toBeGreaterThan(RATE);
    expect(sums.times.length).toBeGreaterThan(0);
  });

  test('answers a thousand connections beside clients of an expensive query', {
    retry: 2,
  }, async () => {
    const usual = await fixture.start(['--http-server', httpServer]);
    const { port } = usual;
    const cheap = { port, body: pointRead };
    const alone = await sendInTurn(cheap, CONNECTIONS, FOR_MS);
    const [beside, sums] = await Promise.all([
      sendInTurn(cheap, CONNECTIONS, 3 * FOR_MS),
      sendInTurn({ port, body: expensiveRead }, EXPENSIVE_CLIENTS, 3 * FOR_MS),
    ]);
    report([alone, beside, sums]);
    expect(await usual.stop()).toBe(0);
    expect([...beside.others.keys()]).toEqual([]);
    expect(percentile99(beside)).toBeLessThan(MANY_BESIDE_MS);
    expect(sums.times.length).toBeGreaterThan(0);
  });
});

function pointRead(n: number): string {
  const query = 'Many.filter(p=>p.id==id).map(p=>p.id)';
  return JSON.stringify({ query, data: { id: 1 + (n % 9000) } });
}

function expensiveRead(n: number): string {
  const query = 'Many.filter(p=>p.id>n).map(p=>({t: sum(p.amount*p.amount)}))';
  return JSON.stringify({ query, data: { n: n % 500 } });
}

function report(outcomes: readonly Outcome[]): void {
  const rates = outcomes.map(
    (each) => `${Math.round(each.goodput)}/s, p99 ${percentile99(each).toFixed(1)} ms`,
  );
  console.log(rates.join('; '));
}
