/** Statements that MariaDB cannot interrupt: clients do not wait for them, and they do not pile up. */
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
 * At each letter, `REPLACE` moves the rest of the string. This takes seconds, during which it does not
 * check for interruption.
 */
const LETTERS = 300_000;
const slow = sql("SELECT CHAR_LENGTH(REPLACE(?, 'a', 'bb'))", 'a'.repeat(LETTERS));
const LIMIT_MS = 200;
const WITHIN_MS = LIMIT_MS + 2500;
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

  /** Runs a statement beyond its time limit. Resolves when its connection has been discarded. */
  const runAway = () =>
    onLease(source, async (lease) => {
      const startedAt = performance.now();
      await expect(lease.run(runOf([slow]).steps)).rejects.toMatchObject({
        code: 'statement-timeout',
      });
      expect(performance.now() - startedAt).toBeLessThan(WITHIN_MS);
    });

  test(
    'is answered in time; a second one occupies a connection of the pool until it ends',
    async () => {
      const { pool } = source;
      await runAway();
      await until('the first is still running', () => pool.runaways === 1);
      await Promise.all([one(), one()]);
      await runAway();
      await until('the second is still running', () => pool.runaways === 2);
      await onLease(source, async () => {
        await expect(one()).rejects.toMatchObject({ code: 'queue-timeout' });
      });
      await until('both have ended', () => pool.runaways === 0, ENDED_MS);
      await onLease(source, () => one());
    },
    2 * ENDED_MS,
  );
});
