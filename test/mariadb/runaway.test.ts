/** Statements that MariaDB does not stop: nobody waits for them, and they do not pile up. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../src/workers/database/source.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { until } from '../support/program.js';
import { mysqlSource, onLease, runOf, sql } from './mysql-source.js';

/**
 * `REPLACE` moves the rest of the string at each letter without checking for interruption, which takes
 * some seconds.
 */
const LETTERS = 220_000;
const slow = sql("SELECT CHAR_LENGTH(REPLACE(?, 'a', 'bb'))", 'a'.repeat(LETTERS));
const LIMIT_MS = 200;
const WITHIN_MS = LIMIT_MS + 1000;
const ENDED_MS = 90_000;

describeMariadb('a statement that cannot be interrupted', () => {
  let database: MariadbDatabase;
  let source: Source;

  beforeAll(async () => {
    database = await createMariadbDatabase();
    source = mysqlSource(database.connection, { statementTimeoutMs: LIMIT_MS });
  });

  afterAll(async () => {
    await source.close();
    await database.drop();
  });

  const one = () => onLease(source, (lease) => lease.run(runOf([sql('SELECT 1')]).steps));

  /** Resolves when its connection was given up. */
  const runAway = () =>
    onLease(source, async (lease) => {
      const startedAt = performance.now();
      await expect(lease.run(runOf([slow]).steps)).rejects.toMatchObject({
        code: 'statement-timeout',
      });
      expect(performance.now() - startedAt).toBeLessThan(WITHIN_MS);
    });

  test(
    'is answered in time; of two, the second holds its connection until it has ended',
    async () => {
      const { pool } = source;
      await runAway();
      await until('the first is left', () => pool.runaways === 1);
      await Promise.all([one(), one()]);
      await runAway();
      await until('the second is left', () => pool.runaways === 2);
      await onLease(source, async () => {
        await expect(one()).rejects.toMatchObject({ code: 'queue-timeout' });
      });
      await until('both have ended', () => pool.runaways === 0, ENDED_MS);
      await onLease(source, () => one());
    },
    2 * ENDED_MS,
  );
});
