/** What a request uses on MariaDB: transactions, time limits, and cleaning up. */
import { expect, test } from 'vitest';
import { createCancellation } from '../../src/workers/cancellation.js';
import type { Lease } from '../../src/workers/database/lease.js';
import type { Statement } from '../../src/workers/database/statement.js';
import { until } from '../support/program.js';
import { column, mysqlSource, sql } from './mysql-source.js';
import { describeSmallTable } from './small-table.js';

const HEAVY = `CREATE OR REPLACE TABLE heavy (id int PRIMARY KEY, n int);
  INSERT INTO heavy SELECT seq, 0 FROM seq_1_to_1000`;

describeSmallTable('a lease', HEAVY, (table) => {
  const { query, withLease, stored, insert } = table;

  /** The only value of the only row. */
  const value = async (lease: Lease, statement: Statement): Promise<string> => {
    const rows = await lease.fetch(statement);
    return column(rows)[0] ?? '';
  };

  test('writes one statement in autocommit mode', () =>
    withLease(async (lease) => {
      const [written] = await lease.write([insert(1)], true);
      expect(written?.count).toBe(1);
      expect(lease.connection.isInTransaction).toBe(false);
      expect(await stored()).toEqual([1]);
    }));

  test('writes several statements as one transaction, and commits each alone afterwards', () =>
    withLease(async (lease) => {
      const written = await lease.write(
        [insert(1), sql('UPDATE t SET n = 2'), sql('SELECT id, n FROM t')],
        true,
      );
      expect(written.map(({ count, rows }) => [count, rows.length])).toEqual([
        [1, 0],
        [1, 0],
        [1, 1],
      ]);
      expect(await stored()).toEqual([1]);
      await lease.write([insert(2)], true);
      expect(await stored()).toEqual([1, 2]);
      expect(await value(lease, sql('SELECT @@autocommit'))).toBe('1');
    }));

  test('writes in several round trips, and rolls back if the last one is missing', async () => {
    await withLease(async (lease) => {
      await lease.write([insert(1)], false);
      await lease.write([insert(2)], false);
      expect(await stored()).toEqual([]);
      await lease.write([], true);
      expect(await stored()).toEqual([1, 2]);
    });
    await withLease((lease) => lease.write([insert(3)], false));
    await withLease((lease) => lease.write([insert(4)], true));
    expect(await stored()).toEqual([1, 2, 4]);
  });

  test('writes more statements, and more different ones, than are sent at once', () =>
    withLease(async (lease) => {
      const statements = Array.from({ length: 1200 }, (_, id) =>
        id < 800 ? insert(id) : sql(`INSERT INTO t VALUES (?, NULL, ${id % 350})`, String(id)),
      );
      const written = await lease.write(statements, true);
      expect(written.map(({ count }) => count)).toEqual(statements.map(() => 1));
      expect(await stored()).toHaveLength(1200);
      const failing = [...statements.map((_, id) => insert(2000 + id)), insert(7, 'x')];
      await expect(lease.write(failing, true)).rejects.toMatchObject({
        code: 'unique-violation',
        at: { statement: 1200, row: 0 },
      });
    }));

  /** Whether a row that another transaction stores between two reads is visible. */
  const fateOfOthers = async (lease: Lease, id: number): Promise<'seen' | 'unseen' | 'refused'> => {
    const count = sql('SELECT COUNT(*) FROM t');
    const before = await value(lease, count);
    try {
      await query(`SET innodb_lock_wait_timeout = 0; INSERT INTO t VALUES (${id}, NULL, 1)`);
    } catch {
      return 'refused';
    }
    return (await value(lease, count)) === before ? 'unseen' : 'seen';
  };

  test.each([
    ['readCommitted', 'seen'],
    ['repeatableRead', 'unseen'],
    ['serializable', 'refused'],
  ] as const)(
    'runs a transaction at the level %s, and others at their own',
    async (isolation, fate) => {
      await withLease(
        async (lease) => {
          await lease.write([insert(1)], true);
          expect(await stored()).toEqual([]);
          expect(await fateOfOthers(lease, 2)).toBe(fate);
          await lease.commit([insert(3)]);
          expect(await fateOfOthers(lease, 4)).toBe(fate);
        },
        { mode: { isolation, readOnly: false } },
      );
      await withLease(async (lease) => {
        await lease.write([insert(5)], false);
        expect(await fateOfOthers(lease, 6)).toBe('seen');
      });
      const others = fate === 'refused' ? [] : [2, 4];
      expect(await stored()).toEqual([...others, 1, 3, 6].sort((a, b) => a - b));
    },
  );

  test('refuses writes in a read-only transaction, and accepts them after it', async () => {
    const mode = { isolation: 'repeatableRead', readOnly: true } as const;
    await withLease(
      async (lease) => {
        await lease.fetch(sql('SELECT id FROM t'));
        await query('INSERT INTO t VALUES (1, NULL, 1)');
        expect(await lease.fetch(sql('SELECT id FROM t'))).toHaveLength(0);
        await expect(lease.write([insert(2)], false)).rejects.toMatchObject({
          code: 'write-in-read-only',
        });
        await lease.rollBack();
        expect(await lease.fetch(sql('SELECT id FROM t'))).toHaveLength(1);
        await lease.commit();
      },
      { mode },
    );
    await withLease((lease) => lease.write([insert(3), insert(4)], true));
    expect(await stored()).toEqual([1, 3, 4]);
  });

  test('stores nothing of a write that a deadlock has rolled back, nor of what follows it', async () => {
    await query('INSERT INTO t VALUES (1, NULL, 1), (2, NULL, 1)');
    await table.database.withClient(async (other) => {
      // The transaction that has changed less is rolled back.
      await other.query('START TRANSACTION');
      await other.query('UPDATE heavy SET n = 1');
      await other.query('UPDATE t SET n = 5 WHERE id = 2');
      await withLease(async (lease) => {
        const writing = lease.write(
          [
            sql('UPDATE t SET n = 6 WHERE id = 1'),
            sql('UPDATE t SET n = 6 WHERE id = 2'),
            insert(3),
            insert(4),
          ],
          true,
        );
        const failing = expect(writing).rejects.toMatchObject({ code: 'serialization-failure' });
        await until('it waits for the row', async () => {
          // Not from innodb_trx, which is only updated if it was not read for 100 ms.
          const rows = await query(
            "SELECT 1 FROM information_schema.processlist WHERE info LIKE 'UPDATE t SET n = 6 WHERE id = 2%'",
          );
          return rows.length > 0;
        });
        await other.query('UPDATE t SET n = 5 WHERE id = 1');
        await failing;
      });
      await other.query('COMMIT');
    });
    await withLease((lease) => lease.write([insert(9)], true));
    expect(await query('SELECT id, n FROM t ORDER BY id')).toEqual([
      { id: 1, n: 5 },
      { id: 2, n: 5 },
      { id: 9, n: 1 },
    ]);
  });

  test('a statement over its time limit is stopped, and the connection serves the next request', async () => {
    const limited = mysqlSource(table.database.connection, {
      statementTimeoutMs: 100,
      connectionsPerSource: 1,
    });
    const lease = await limited.lease(createCancellation());
    await expect(lease.fetch(sql('SELECT SLEEP(20) FROM heavy'))).rejects.toMatchObject({
      code: 'statement-timeout',
    });
    await expect(lease.fetch(sql('SELECT 1'))).rejects.toMatchObject({
      code: 'statement-timeout',
    });
    lease.release();
    const next = await limited.lease(createCancellation());
    expect(next.connection).toBe(lease.connection);
    expect(await value(next, sql('SELECT 2'))).toBe('2');
    next.release();
    await limited.close();
  });

  test('only its time limit interrupts a commit, and its outcome is then unknown', async () => {
    const limited = mysqlSource(table.database.connection, { statementTimeoutMs: 200 });
    const lease = await limited.lease(createCancellation(), { mode: { readOnly: false } });
    await lease.write([insert(1), insert(2)], false);
    await withLease(async (other) => {
      await other.write([insert(3)], false);
      await table.database.withClient(async (client) => {
        await client.query('FLUSH TABLES WITH READ LOCK');
        const committing = other.write([], true);
        await expect(lease.commit()).rejects.toMatchObject({ code: 'outcome-unknown' });
        other.cancel();
        await client.query('UNLOCK TABLES');
        await committing;
      });
    });
    lease.release();
    await limited.close();
    expect(await stored()).toEqual([3]);
  });

  test('a client that disconnects stops its statement, and its transaction is rolled back', async () => {
    const lease = await table.source.lease(createCancellation());
    await lease.write([insert(1)], false);
    const running = lease.fetch(sql('SELECT SLEEP(20) FROM heavy'));
    const failing = expect(running).rejects.toMatchObject({ code: 'cancelled' });
    lease.cancel();
    await failing;
    lease.release();
    await withLease((other) => other.write([insert(1), insert(2)], true));
    expect(await stored()).toEqual([1, 2]);
  });

  test('a connection with a long lease is not reused', async () => {
    const [long, short] = [{ isLong: true }, {}];
    const connections = new Set<unknown>();
    for (const options of [long, short, short, long]) {
      await withLease(async (lease) => {
        await lease.write([{ ...sql('SET @mark = 1'), isCommand: true }], true);
        connections.add(lease.connection);
      }, options);
    }
    // The second and third are the same connection, and the fourth has taken it over.
    expect(connections.size).toBe(2);
  });

  test('reports whether the database serves tables', async () => {
    expect(await table.source.ping(1000)).toBe('ready');
    const nowhere = mysqlSource({ ...table.database.connection, port: 1 });
    expect(await nowhere.ping(1000)).toBe('away');
    await nowhere.close();
  });
});
