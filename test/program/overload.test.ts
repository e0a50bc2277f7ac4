/**
 * More requests than can be answered in time: some are refused at once, and the others get correct
 * answers.
 */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askWire } from '../support/http-client.js';
import { describeServers } from '../support/http-servers.js';
import { LOOSER } from '../support/looser.js';
import { executeRequest, sendInTurn } from '../support/open-load.js';
import { processorMs } from '../support/processor-time.js';
import type { Program } from '../support/program.js';
import { type StreamsFixture, startStreamsFixture } from './streams-fixture.js';

const WAIT_MS = 20;
/** This many requests are never refused, however long they take. */
const FEW = WAIT_MS / 4;
const MANY = 300;
const ROUNDS_MAX = 50;
/** Clients that are refused again and again, and for how long. */
const CLIENTS = 256;
const FOR_MS = 2000;
/** The processor time of a refusal in all threads of the program, including the few answers meanwhile. */
const REFUSAL_MS = 0.05 * LOOSER;
/** What is allowed on slow machines: it takes about twice as much as an answer to `/ping`. */
const PINGS = 4 * LOOSER;

let fixture: StreamsFixture;
beforeAll(async () => {
  fixture = await startStreamsFixture();
});
afterAll(() => fixture.stop());

describeServers('the program on %s', (httpServer) => {
  let program: Program;
  beforeAll(async () => {
    const words = ['--workers', '1', '--connections', '3', '--expected-wait-ms', String(WAIT_MS)];
    program = await fixture.start(['--http-server', httpServer, ...words]);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  /**
   * Sends `count` requests at the same time, each with a different number, and resolves to their
   * statuses.
   */
  const ask = (count: number): Promise<readonly number[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const query = 'Many.filter(p=>p.id>n && p.id<=5000).map(p=>({n: count(1)}))';
        const body = { query, data: { n } };
        const answer = await askWire(program.base, '/execute', { body });
        if (answer.status === 200) expect(answer.body.toString()).toBe(`[{"n":${5000 - n}}]`);
        else {
          expect(JSON.parse(answer.body.toString())).toMatchObject({ code: 'queue-full' });
          expect(answer.headers['retry-after']).toMatch(/^\d+$/);
        }
        return answer.status;
      }),
    );

  test('refuses only requests that would wait too long', async () => {
    const refused = async (count: number) => (await ask(count)).filter((status) => status === 503);
    let rounds = 0;
    while ((await refused(MANY)).length === 0) {
      rounds += 1;
      expect(rounds).toBeLessThan(ROUNDS_MAX);
    }
    for (let n = 0; n < 5; n += 1) expect(await refused(FEW)).toEqual([]);
  });

  test.runIf(existsSync('/proc/self/stat'))('refuses requests at little cost', async () => {
    const query = 'Many.filter(p=>p.id>n).map(p=>({t: sum(p.amount*p.amount)}))';
    const request = (n: number) => executeRequest(query, { n: n % 500 });
    const words = ['--workers', '1', '--connections', '3'];
    const usual = await fixture.start(['--http-server', httpServer, ...words]);
    const load = { port: usual.port, request };
    await sendInTurn(load, CLIENTS, FOR_MS);
    const before = processorMs(usual.pid);
    const { times, others } = await sendInTurn(load, CLIENTS, FOR_MS);
    const refused = others.get(503) ?? 0;
    const after = processorMs(usual.pid);
    const eachMs = (after - before) / refused;
    const pings = { port: usual.port, request: () => 'GET /ping HTTP/1.1\r\nhost: x\r\n\r\n' };
    const { times: pinged } = await sendInTurn(pings, CLIENTS, FOR_MS);
    const pingMs = (processorMs(usual.pid) - after) / pinged.length;
    expect(await usual.stop()).toBe(0);
    const [each, ping] = [eachMs, pingMs].map((ms) => `${(1000 * ms).toFixed(0)} µs`);
    console.log(
      `${refused} refused and ${times.length} answered: ${each}; an answer to /ping: ${ping}`,
    );
    expect([...others.keys()]).toEqual([503]);
    expect(refused).toBeGreaterThan(10 * times.length);
    expect(eachMs).toBeLessThan(Math.max(REFUSAL_MS, PINGS * pingMs));
  });
});
