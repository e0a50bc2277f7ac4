/** Probes of sources, whatever the database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Fixture } from './fixture.js';

/** Defines the tests. `missing` is the SQLSTATE for a missing table. */
export function testProbes(
  fixture: () => Pick<Fixture, 'withWorker'> & { sql(text: string): Promise<unknown> },
  missing: string,
): void {
  test('a missing table is a mismatch, and the probe reports it', () =>
    fixture().withWorker({ connectionsPerSource: 1 }, async (gateway) => {
      await expect(gateway.execute('Missing')).rejects.toMatchObject({
        problem: { code: 'schema-mismatch', sqlstate: missing },
      });
      expect(await gateway.probe(false)).toBe(true);
      expect(await gateway.probe(true)).toBe(false);
      await fixture().sql('CREATE TABLE missing (id int, name text)');
      expect(await gateway.probe(true)).toBe(true);
      expect(await gateway.rows('Missing')).toEqual([]);
      await fixture().sql('DROP TABLE missing');
    }));

  test('a probe of a source whose connections are all in use waits no longer than its limit', () =>
    fixture().withWorker({ connectionsPerSource: 1 }, async (gateway) => {
      await gateway.compile('Slow');
      const { id, received } = gateway.start('Slow');
      // A probe sent with it would take the connection first.
      await sleep(100);
      const before = performance.now();
      expect(await gateway.probe(false)).toBe(false);
      // The statement takes ten seconds.
      expect(performance.now() - before).toBeLessThan(7000);
      gateway.cancel(id);
      await expect(received).rejects.toMatchObject({ problem: { code: 'cancelled' } });
    }));
}
