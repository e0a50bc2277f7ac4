/** Connections to MariaDB: runs that are pipelined, fail, or are abandoned. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection } from '../../src/workers/database/connection.js';
import type { Run } from '../../src/workers/database/statement.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { until } from '../support/program.js';
import { runOf, type Sent, sendAll, sql, withConnection } from './mysql-source.js';

const point = (id: number) => sql('SELECT id, name FROM p WHERE id = ?', String(id));
const slow = (seconds: number) => sql('SELECT SLEEP(?) FROM p WHERE id = 1', String(seconds));

describeMariadb('a connection', () => {
  let database: MariadbDatabase;

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.withClient((client) =>
      client.query(`CREATE TABLE p (id int PRIMARY KEY, name varchar(40), qty int);
        INSERT INTO p SELECT seq, CONCAT('n', seq), seq FROM seq_1_to_1000;
        CREATE TABLE w (id int PRIMARY KEY)`),
    );
  });

  afterAll(() => database.drop());

  const query = (text: string) => database.withClient((client) => client.query(text));
  /** The ids of the connections whose current statement matches. */
  const running = async (like: string): Promise<number[]> => {
    const found: readonly { readonly id: bigint }[] = await query(
      `SELECT id FROM information_schema.processlist
       WHERE db = DATABASE() AND info LIKE '${like}' AND id <> CONNECTION_ID()`,
    );
    return found.map(({ id }) => Number(id));
  };
  const oneRunning = (like: string) =>
    until('a statement runs', async () => (await running(like))[0] ?? false);

  test('answers runs with many statements in order', () =>
    withConnection(database.connection, async (connection) => {
      const ids = Array.from({ length: 300 }, (_, index) => 1 + ((index * 7) % 1000));
      for (const round of [1, 2]) {
        const ended: number[] = [];
        const runs = ids.map((id) => runOf([round === 1 ? point(id) : sql(`SELECT ${id % 5}`)]));
        for (const [index, run] of runs.entries()) {
          connection.send(run);
          void run.ended.then(() => ended.push(index));
        }
        connection.flush();
        expect(connection.inFlight).toBe(300);
        const rows = await Promise.all(runs.map((run) => run.ended));
        expect(rows).toEqual(
          ids.map((id) => [[round === 1 ? [`${id}`, `n${id}`] : [`${id % 5}`]]]),
        );
        if (round === 1) expect(ended).toEqual(ids.map((_, index) => index));
        expect(connection.inFlight).toBe(0);
      }
    }));

  test('answers runs that are sent while others are running', () =>
    withConnection(database.connection, async (connection) => {
      const [first] = sendAll(connection, [slow(0.1)]);
      const behind = sendAll(connection, [point(1), point(2)]);
      expect(connection.inFlight).toBe(3);
      expect(await first?.ended).toEqual([[['0']]]);
      expect(await Promise.all(behind.map((run) => run.ended))).toEqual([
        [[['1', 'n1']]],
        [[['2', 'n2']]],
      ]);
    }));

  test('reports how long runs that were answered together took', () =>
    withConnection(database.connection, async (connection) => {
      await Promise.all(sendAll(connection, [point(1), slow(0)]).map((run) => run.ended));
      const times: number[] = [];
      const before = performance.now();
      const done = [slow(0.2), point(1)].map(
        (statement) =>
          new Promise<void>((resolve) => {
            const end: Run['end'] = (_error, serviceMs) => {
              times.push(serviceMs);
              resolve();
            };
            connection.send({ steps: runOf([statement]).steps, end });
          }),
      );
      connection.flush();
      expect(connection.servingSince).toBeGreaterThanOrEqual(before);
      await Promise.all(done);
      const spent = performance.now() - before;
      const total = times.reduce((sum, ms) => sum + ms, 0);
      expect(total).toBeGreaterThan(190);
      expect(total).toBeLessThanOrEqual(spent);
    }));

  test('fails one run of many, and no other', () =>
    withConnection(database.connection, async (connection) => {
      const statements = [
        point(1),
        sql('SELECT id FROM missing'),
        sql('SELECT * FROM w WHERE id = (SELECT id FROM p)'),
        point(2),
      ];
      for (const _round of [1, 2]) {
        const runs = sendAll(connection, statements);
        const [first, unknown, failing, last] = await Promise.allSettled(
          runs.map((run) => run.ended),
        );
        expect(first).toMatchObject({ value: [[['1', 'n1']]] });
        expect(unknown).toMatchObject({ reason: { code: 'schema-mismatch', sqlstate: '42S02' } });
        expect(failing).toMatchObject({ reason: { code: 'evaluation-failed' } });
        expect(last).toMatchObject({ value: [[['2', 'n2']]] });
      }
    }));

  test('reports which step of a run failed, and discards the rows after it', () =>
    withConnection(database.connection, async (connection) => {
      await sendAll(connection, [sql('INSERT INTO w VALUES (1)')])[0]?.ended;
      const run = runOf([point(1), sql('INSERT INTO w VALUES (1)'), point(2)]);
      connection.send(run);
      connection.flush();
      await expect(run.ended).rejects.toMatchObject({
        code: 'unique-violation',
        at: { statement: 1 },
      });
      expect(run.rows).toEqual([[['1', 'n1']], [], []]);
    }));

  test('fails a run with the error that its sink throws', () =>
    withConnection(database.connection, async (connection) => {
      const [sent] = [runOf([sql('SELECT id FROM p')])];
      const failure = new Error('no more');
      let rows = 0;
      const sink = {
        row: () => {
          rows += 1;
          if (rows === 3) throw failure;
        },
      };
      const steps = (sent?.steps ?? []).map((step) => ({ ...step, sink }));
      const ended = new Promise((resolve) => connection.send({ steps, end: resolve }));
      connection.flush();
      expect(await ended).toBe(failure);
      expect(rows).toBe(3);
    }));

  test('interrupts a result that nobody needs any more', () =>
    withConnection(database.connection, async (connection) => {
      let rows = 0;
      const sink = {
        row: () => {
          rows += 1;
        },
      };
      const statement = sql('SELECT a.seq FROM seq_1_to_100000 a, seq_1_to_100000 b');
      const steps = [{ statement, rowsMax: 5, sink }];
      const ended = new Promise((resolve) => connection.send({ steps, end: resolve }));
      connection.flush();
      expect(await ended).toBeUndefined();
      expect(rows).toBe(5);
      const [next] = sendAll(connection, [point(3)]);
      expect(await next?.ended).toEqual([[['3', 'n3']]]);
    }));

  test('a run without steps ends', () =>
    withConnection(database.connection, async (connection) => {
      const run = runOf([]);
      connection.send(run);
      connection.flush();
      expect(await run.ended).toEqual([]);
    }));

  test('an abandoned run ends at once, and those around it get their own rows', () =>
    withConnection(database.connection, async (connection) => {
      await Promise.all(sendAll(connection, [slow(0), point(1)]).map((run) => run.ended));
      const [first, second, third] = sendAll(connection, [slow(4), point(1), point(2)]);
      const before = performance.now();
      for (const run of [first, second]) if (run) connection.abandon(run, new Error('gone'));
      await expect(first?.ended).rejects.toThrow('gone');
      await expect(second?.ended).rejects.toThrow('gone');
      expect(performance.now() - before).toBeLessThan(3000);
      expect(connection.inFlight).toBe(3);
      expect(await third?.ended).toEqual([[['2', 'n2']]]);
      expect([first?.rows, second?.rows]).toEqual([[[]], [[]]]);
    }));

  test('returns the waiting reads, which can be sent again', () =>
    withConnection(database.connection, async (connection) => {
      await Promise.all(sendAll(connection, [slow(0), point(1)]).map((run) => run.ended));
      const commit = runOf([sql('INSERT INTO w VALUES (7)')], true);
      const first = runOf([slow(0.1)]);
      const waiting = [runOf([point(1)]), runOf([sql('SELECT 77')])];
      for (const run of [first, ...waiting, commit]) connection.send(run);
      connection.flush();
      const taken = connection.takeBackWaiting();
      expect([...taken]).toEqual(waiting);
      for (const run of taken) connection.send(run);
      connection.flush();
      expect(await Promise.all([first, commit, ...waiting].map((run) => run.ended))).toEqual([
        [[['0']]],
        [[]],
        [[['1', 'n1']]],
        [[['77']]],
      ]);
    }));

  test('abandons a read once that was taken back and sent again', () =>
    withConnection(database.connection, async (connection) => {
      await Promise.all(sendAll(connection, [slow(0), point(1)]).map((run) => run.ended));
      const [first, read] = sendAll(connection, [slow(0.1), point(1)]);
      const taken = connection.takeBackWaiting();
      expect([...taken]).toEqual([read]);
      for (const run of taken) connection.send(run);
      connection.flush();
      if (read) connection.abandon(read, new Error('gone'));
      await expect(read?.ended).rejects.toThrow('gone');
      const [last] = sendAll(connection, [point(2)]);
      expect(await Promise.all([first?.ended, last?.ended])).toEqual([[[['0']]], [[['2', 'n2']]]]);
      expect(read?.rows).toEqual([[]]);
    }));

  test('sends no rows while it is paused', () =>
    withConnection(database.connection, async (connection) => {
      const many = sql('SELECT seq, REPEAT(seq, 20) FROM seq_1_to_200000 WHERE seq > ?', '0');
      await sendAll(connection, [{ ...many, parameters: ['200000'] }])[0]?.ended;
      const [run] = sendAll(connection, [many]);
      connection.pause();
      await oneRunning('%seq_1_to_200000%');
      expect(run?.rows[0]?.length).toBeLessThan(200_000);
      connection.resume();
      expect((await run?.ended)?.[0]).toHaveLength(200_000);
    }));

  test('reads rows and values of many megabytes', () =>
    withConnection(database.connection, async (connection) => {
      const text = "SELECT REPEAT('ab', 4500000), REPEAT('c', 9000000), 1";
      const [run] = sendAll(connection, [sql(text)]);
      const [row] = (await run?.ended)?.[0] ?? [];
      expect(row).toEqual(['ab'.repeat(4_500_000), 'c'.repeat(9_000_000), '1']);
    }));

  test('sends parameters of many megabytes', () =>
    withConnection(database.connection, async (connection) => {
      const long = 'x'.repeat(10_000_000);
      const [run] = sendAll(connection, [sql('SELECT LENGTH(?), ?', long, null)]);
      expect(await run?.ended).toEqual([[['10000000', null]]]);
    }));

  test('sends binary values of almost a packet', () =>
    withConnection(database.connection, async (connection) => {
      const send = (bytes: number): Sent => {
        const base64 = Buffer.alloc(bytes, 0xff).toString('base64');
        const run = runOf([{ text: 'SELECT LENGTH(?)', parameters: [base64], types: ['binary'] }]);
        connection.send(run);
        connection.flush();
        return run;
      };
      expect(await send(16_700_000).ended).toEqual([[['16700000']]]);
      await expect(send(16_800_000).ended).rejects.toMatchObject({ code: 'text-too-long' });
    }));

  test('prepares each statement once, and closes it if none are kept', async () => {
    const count = async (connection: Connection, name: string): Promise<number> => {
      const [run] = sendAll(connection, [sql(`SHOW SESSION STATUS LIKE '${name}'`)]);
      return Number((await run?.ended)?.[0]?.[0]?.[1]);
    };
    await withConnection(database.connection, async (connection) => {
      await count(connection, 'Com_stmt_prepare');
      const before = await count(connection, 'Com_stmt_prepare');
      for (const id of [1, 2, 3]) {
        await Promise.all(
          sendAll(connection, [point(id), point(id), point(id)]).map((run) => run.ended),
        );
      }
      expect(await count(connection, 'Com_stmt_prepare')).toBe(before + 1);
    });
    await withConnection(
      database.connection,
      async (connection) => {
        const prepared = await count(connection, 'Com_stmt_prepare');
        const closed = await count(connection, 'Com_stmt_close');
        for (const id of [1, 2]) {
          const rows = await Promise.all(
            sendAll(connection, [point(id), point(id)]).map((run) => run.ended),
          );
          expect(rows).toEqual([[[[`${id}`, `n${id}`]]], [[[`${id}`, `n${id}`]]]]);
        }
        // Each statement is prepared once; the other two are those that read the counters.
        expect(await count(connection, 'Com_stmt_prepare')).toBe(prepared + 4);
        expect(await count(connection, 'Com_stmt_close')).toBe(closed + 4);
      },
      { preparedStatements: false },
    );
  });

  test('keeps a limited number of prepared statements', () =>
    withConnection(database.connection, async (connection) => {
      for (const _round of [1, 2]) {
        const statements = Array.from({ length: 300 }, (_, n) => sql(`SELECT ${n} AS many`));
        const rows = await Promise.all(sendAll(connection, statements).map((run) => run.ended));
        expect(rows).toEqual(statements.map((_, n) => [[[`${n}`]]]));
      }
      const names = ['Com_stmt_prepare', 'Com_stmt_close'];
      const runs = sendAll(
        connection,
        names.map((name) => sql(`SHOW SESSION STATUS LIKE '${name}'`)),
      );
      const [prepared, closed] = await Promise.all(runs.map((run) => run.ended));
      const open = Number(prepared?.[0]?.[0]?.[1]) - Number(closed?.[0]?.[0]?.[1]);
      expect(open).toBeLessThanOrEqual(258);
    }));

  test('reads the columns again after a table has changed', () =>
    withConnection(database.connection, async (connection) => {
      const statement = sql('SELECT qty FROM p WHERE id = 5');
      for (const type of [
        'int',
        'bigint',
        'double',
        'varchar(20)',
        'smallint',
        'decimal(12, 2)',
        'int',
      ]) {
        await query(`ALTER TABLE p MODIFY qty ${type}`);
        const runs = sendAll(connection, [statement, point(1), statement]);
        const [first, , last] = await Promise.all(runs.map((run) => run.ended));
        const expected = [[[type.startsWith('decimal') ? '5.00' : '5']]];
        expect([first, last]).toEqual([expected, expected]);
      }
    }));
});
