/**
 * More requests than can be answered in time: some are refused at once, and the others get correct
 * answers.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askWire } from '../support/http-client.js';
import { describeServers } from '../support/http-servers.js';
import type { Program } from '../support/program.js';
import { type StreamsFixture, startStreamsFixture } from './streams-fixture.js';

const WAIT_MS = 20;
/** This many requests are never refused, however long they take. */
const FEW = WAIT_MS / 4;
const MANY = 300;
const ROUNDS_MAX = 50;

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
});
