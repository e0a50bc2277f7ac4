/** A plan that was short meets a long answer, and its client disconnects while that is streamed. */
import { expect, test } from 'vitest';
import { until } from '../../support/program.js';
import { startBatchFixture } from './batch-fixture.js';

/** The first rows come at once, and the others so slowly that they take minutes. */
const rows = `
  CREATE TABLE numbers (id int PRIMARY KEY);
  INSERT INTO numbers SELECT generate_series(1, 20000);
  ANALYZE numbers;
  CREATE VIEW parts AS SELECT id, id AS item_id, id AS quantity,
    repeat('x', 1000) || CASE WHEN id > 3000 THEN pg_sleep(0.05)::text ELSE '' END AS name
    FROM numbers`;

test('the statement of a streamed answer is stopped when its client disconnects', async () => {
  const fixture = await startBatchFixture(rows);
  const running = () =>
    fixture.sql(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'rowgate' AND state = 'active' AND wait_event IN ('PgSleep', 'ClientWrite')`);
  try {
    await fixture.withWorker({ batching: 'measured' }, async (worker) => {
      const plan = await worker.prepare('Parts.filter(p=>p.id<=id)');
      for (let i = 0; i < 10; i += 1) await worker.outcomes([{ plan, data: { id: 1 } }]);
      const [asked] = worker.ask([{ plan, data: { id: 20_000 } }]);
      await until('its first rows have been sent', async () => (await running()).length > 0);
      worker.cancel(asked?.id ?? 0);
      expect(await asked?.outcome).toMatch(/^! cancelled/);
      await until('it is stopped', async () => (await running()).length === 0);
    });
  } finally {
    await fixture.stop();
  }
});
