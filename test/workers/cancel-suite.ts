/** Cancelling a request stops its statement, and no other, whatever the database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Fixture } from './fixture.js';

const cancelled = { problem: { code: 'cancelled' } };

/** Defines the tests. `isRunning` resolves when a statement of a worker runs in the database. */
export function testCancelling(
  fixture: () => Pick<Fixture, 'withWorker'>,
  isRunning: () => Promise<unknown>,
): void {
  test('a cancelled request stops in the database', () =>
    fixture().withWorker({ connectionsPerSource: 1 }, async (gateway) => {
      await gateway.compile('Slow');
      const { id, received } = gateway.start('Slow');
      await isRunning();
      gateway.cancel(id);
      await expect(received).rejects.toMatchObject(cancelled);
      // Otherwise, the only connection would be busy for ten seconds.
      expect(await gateway.rows('Points.filter(p=>p.id==1)')).toHaveLength(1);
    }));

  test('a request that waits for a connection leaves the queue', () =>
    fixture().withWorker({ connectionsPerSource: 1 }, async (gateway) => {
      await gateway.compile('Slow');
      const first = gateway.start('Slow');
      const second = gateway.start('Slow');
      await isRunning();
      gateway.cancel(second.id);
      await expect(second.received).rejects.toMatchObject(cancelled);
      gateway.cancel(first.id);
      await expect(first.received).rejects.toMatchObject(cancelled);
    }));

  test('an answer that nobody reads can be cancelled', () =>
    fixture().withWorker({ connectionsPerSource: 1, streamWindowBytes: 1024 }, async (gateway) => {
      await gateway.compile('Many');
      const first = new Promise<void>((resolve) => {
        const { id } = gateway.start('Many', {
          onPart: () => {
            gateway.cancel(id);
            resolve();
            return new Promise(() => undefined);
          },
        });
      });
      await first;
      expect(await gateway.rows('Points.filter(p=>p.id==1)')).toHaveLength(1);
    }));

  test('a storm of cancels never hits another request', () =>
    fixture().withWorker({ connectionsPerSource: 3 }, async (gateway) => {
      const short = 'Points.filter(p=>p.id==id).map(p=>p.id)';
      const many = 'Orders.sort(p=>p.id).include(p=>p.details)';
      for (const query of [short, many, 'Slow', 'Many']) await gateway.compile(query);
      const whole = (await gateway.execute(many)).text;
      const storm = Array.from({ length: 120 }, async (_, index) => {
        const query = [many, 'Slow', 'Many', short][index % 4] ?? short;
        await sleep(index * 5);
        const { id, received } = gateway.start(query, { data: { id: 1 } });
        await sleep((index * 7) % 23);
        gateway.cancel(id);
        await received.catch((error: unknown) => expect(error).toMatchObject(cancelled));
      });
      const calm = Array.from({ length: 400 }, async (_, index) => {
        await sleep(index * 2);
        expect(await gateway.rows(short, { id: index + 1 })).toEqual([{ id: index + 1 }]);
      });
      const stitched = Array.from({ length: 10 }, async (_, index) => {
        await sleep(index * 50);
        expect((await gateway.execute(many)).text).toBe(whole);
      });
      await Promise.all([...storm, ...calm, ...stitched]);
    }));

  test('cancelling a completed request has no effect', () =>
    fixture().withWorker({ connectionsPerSource: 1 }, async (gateway) => {
      const query = 'Points.filter(p=>p.id==id).map(p=>p.id)';
      await gateway.compile(query);
      const first = gateway.start(query, { data: { id: 1 } });
      await first.received;
      const second = gateway.start(query, { data: { id: 2 } });
      gateway.cancel(first.id);
      expect((await second.received).text).toBe('[{"id":2}]');
    }));
}
