/** A cancel request that reaches the server before the statement does, and is ignored. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/program.js';
import { type Fixture, startFixture } from './fixture.js';
import { type HeldConnection, holdConnection } from './held-connection.js';
import { schemaDocument } from './schema-document.js';
import { loadSchema } from '../../src/engine/index.js';

let fixture: Fixture;
let held: HeldConnection;
beforeAll(async () => {
  fixture = await startFixture();
  held = await holdConnection(fixture.connection);
});
afterAll(async () => {
  await held.stop();
  await fixture.stop();
});

const activity = () =>
  fixture.sql(
    "SELECT pid, state FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rowgate'",
  );

test('a statement that arrives after its cancellation stops, and its connection remains', () => {
  const schema = schemaDocument(held.connection);
  return fixture.withWorker(
    { connectionsPerSource: 1, schema: loadSchema(schema) },
    async (gateway) => {
      await gateway.compile('Slow');
      await gateway.rows('Points.filter(p=>p.id==1)');
      const [before] = await activity();
      held.hold();
      const { id, received } = gateway.start('Slow');
      await held.whenHeld();
      gateway.cancel(id);
      await expect(received).rejects.toMatchObject({ problem: { code: 'cancelled' } });
      await until('no statement runs', async () =>
        (await activity()).every(({ state }) => state === 'idle'),
      );
      await until('it was cancelled again', () => Promise.resolve(held.cancels > 1));
      expect(await gateway.rows('Points.filter(p=>p.id==2)')).toHaveLength(1);
      // It would have run for ten seconds on a closed connection.
      expect(await activity()).toMatchObject([{ pid: before?.['pid'] }]);
    },
  );
});
