import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fixture, startFixture } from './fixture.js';
import { testStreaming } from './stream-suite.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

/** Computed by the database. */
async function manyHash(): Promise<string> {
  const [row] = await fixture.sql(`
    SELECT encode(sha256(convert_to('[' || string_agg(
      '{"id":' || id || ',"name":"' || name || '"}', ',' ORDER BY id) || ']', 'UTF8')), 'hex') AS hash
    FROM many`);
  return row?.['hash'];
}

testStreaming({ fixture: () => fixture, manyHash, brokenBy: '22012' });

test('a read whose answer is too large for its transaction is stopped', () =>
  fixture.withWorker(
    { connectionsPerSource: 1, transactionAnswerBytesMax: 1000 },
    async (gateway) => {
      await gateway.compile('Steady');
      const startedAt = performance.now();
      const problem = { code: 'answer-too-large' };
      await expect(gateway.transact([['Steady']])).rejects.toMatchObject({ problem });
      // The view takes three seconds for all of its rows.
      expect(performance.now() - startedAt).toBeLessThan(2000);
      // A late cancellation does not hit the next statement on the connection.
      expect(await gateway.rows('Points.filter(p=>p.id==1)')).toHaveLength(1);
    },
  ));
