/** Long work on MariaDB, such as an import, leaves connections for queries. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCancellation } from '../../src/workers/cancellation.js';
import type { Source } from '../../src/workers/database/source.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { mysqlSource, sql } from './mysql-source.js';

const mode = { readOnly: false };

describeMariadb('long leases', () => {
  let database: MariadbDatabase;
  let source: Source;

  beforeEach(async () => {
    database = await createMariadbDatabase();
    source = mysqlSource(database.connection, { connectionsPerSource: 3, connectionWaitMs: 300 });
  });
  afterEach(async () => {
    await source.close();
    await database.drop();
  });

  const takeLong = (cancellation = createCancellation()) =>
    source.lease(cancellation, { mode, isLong: true });
  const ask = async (): Promise<number> => {
    const lease = await source.lease(createCancellation());
    const rows = await lease.fetch(sql('SELECT 1')).finally(() => lease.release());
    return rows.length;
  };

  test('take at most half of the connections, and return them', async () => {
    const first = await takeLong();
    await expect(takeLong()).rejects.toMatchObject({ code: 'queue-timeout' });
    expect(await ask()).toBe(1);
    first.release();
    const second = await takeLong();
    expect(await ask()).toBe(1);
    second.release();
  });

  test('that wait can be cancelled, and their permits are not lost', async () => {
    const first = await takeLong();
    const cancellation = createCancellation();
    const waiting = takeLong(cancellation);
    cancellation.cancel();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    const next = takeLong();
    first.release();
    (await next).release();
  });

  test('wait no longer than configured, although they wait twice', async () => {
    const waitMs = 2000;
    const settings = { connectionsPerSource: 3, connectionWaitMs: waitMs };
    const patient = mysqlSource(database.connection, settings);
    const first = await patient.lease(createCancellation(), { mode, isLong: true });
    const others = [patient.lease(createCancellation()), patient.lease(createCancellation())];
    const begin = performance.now();
    const waiting = patient.lease(createCancellation(), { mode, isLong: true });
    setTimeout(() => first.release(), 0.75 * waitMs);
    await expect(waiting).rejects.toMatchObject({ code: 'queue-timeout' });
    expect(performance.now() - begin).toBeLessThan(1.5 * waitMs);
    for (const lease of await Promise.all(others)) lease.release();
    await patient.close();
  });

  test('that get no connection in time leave no permit taken', async () => {
    const leases = [
      await source.lease(createCancellation()),
      await source.lease(createCancellation()),
    ];
    await expect(takeLong()).rejects.toMatchObject({ code: 'queue-timeout' });
    for (const lease of leases) lease.release();
    (await takeLong()).release();
  });
});
