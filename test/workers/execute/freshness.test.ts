import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../../support/embedded.js';
import { type BatchFixture, startBatchFixture } from './batch-fixture.js';

let fixture: BatchFixture;
beforeAll(async () => {
  fixture = await startBatchFixture(`
    CREATE TABLE counter (id int PRIMARY KEY, value int);
    INSERT INTO counter SELECT i, 0 FROM generate_series(1, 4) i;
    CREATE TABLE parts (id int PRIMARY KEY, item_id int, name text, quantity int);`);
});
afterAll(() => fixture.stop());

const READERS = 64;
const READ_MS = 4000;
/** The minimum, however slow the machine is. */
const LEAST = { rounds: 300, writes: 50, batches: 100 };

// Readers of the same row share a group of a batch. A reader must not join a group whose statement has
// already started.
test('a reader never misses a write that was acknowledged before its request was sent', () =>
  fixture.withWorker({}, (worker) =>
    withClient(fixture.connection, async (client) => {
      await client.query('UPDATE counter SET value = 0');
      const plans = [
        await worker.prepare('Counter.filter(p=>p.id==id).map(p=>[p.id,p.value])'),
        await worker.prepare('Counter.filter(p=>p.id<=id&&p.id>=id).map(p=>p.value)'),
      ];
      let acknowledged = 0;
      let rounds = 0;
      const end = performance.now() + READ_MS;
      const isGoingOn = (): boolean =>
        performance.now() < end ||
        rounds <= LEAST.rounds ||
        acknowledged <= LEAST.writes ||
        worker.counters.batches <= LEAST.batches;
      const write = async (): Promise<void> => {
        while (isGoingOn()) {
          await client.query('UPDATE counter SET value = value + 1');
          acknowledged += 1;
        }
      };
      const read = async (_: unknown, reader: number): Promise<void> => {
        const plan = plans[reader % 2] ?? 0;
        const data = { id: 1 + (reader % 4) };
        while (isGoingOn()) {
          const least = acknowledged;
          const [text = ''] = await worker.outcomes([{ plan, data }]);
          expect(JSON.parse(text)[0].value).toBeGreaterThanOrEqual(least);
          rounds += 1;
        }
      };
      await Promise.all([write(), ...Array.from({ length: READERS }, read)]);
      expect(worker.counters.batched / worker.counters.batches).toBeGreaterThan(2);
      expect(worker.counters.failed).toBe(0);
    }),
  ));
