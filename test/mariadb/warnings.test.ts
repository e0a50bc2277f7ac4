/** Reads that MariaDB answers with warnings, some of which mean a wrong value. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { until } from '../support/program.js';
import { onLease, runOf, mysqlSource, sendAll, sql, withConnection } from './mysql-source.js';

const point = (id: number) => sql('SELECT id FROM p WHERE id = ?', String(id));
const huge = sql('SELECT CAST(? AS DECIMAL(65,30)) + id FROM p', '1e40');
const long = sql("SELECT id, CONCAT(REPEAT('x', 9e6), REPEAT('x', 9e6)) FROM p");
/** The server uses the number at the start of the string, and warns. */
const harmless = sql('SELECT ? + 1 FROM p', '1a');

describeMariadb('a read with warnings', () => {
  let database: MariadbDatabase;

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.withClient((client) =>
      client.query(`CREATE TABLE p (id int PRIMARY KEY);
        INSERT INTO p VALUES (1), (2);
        CREATE TABLE n (id int AUTO_INCREMENT PRIMARY KEY, q int)`),
    );
  });

  afterAll(() => database.drop());

  test('fails if a value is wrong, and no other run fails', () =>
    withConnection(database.connection, async (connection) => {
      const statements = [point(1), huge, point(2), long, harmless, point(1)];
      const runs = sendAll(connection, statements);
      const ended = await Promise.allSettled(runs.map((run) => run.ended));
      expect(ended).toMatchObject([
        { value: [[['1']]] },
        { reason: { code: 'value-out-of-range' } },
        { value: [[['2']]] },
        { reason: { code: 'text-too-long' } },
        { value: [[['2'], ['2']]] },
        { value: [[['1']]] },
      ]);
      expect(connection.inFlight).toBe(0);
    }));

  test('fails together with the other statements of its run', () =>
    withConnection(database.connection, async (connection) => {
      const run = runOf([point(1), harmless, huge]);
      connection.send(run);
      connection.flush();
      await expect(run.ended).rejects.toMatchObject({ code: 'value-out-of-range' });
    }));

  test('fails if harmless warnings come before that of the wrong value', () =>
    withConnection(database.connection, async (connection) => {
      const text =
        'SELECT ? + seq, CASE seq WHEN 1000 THEN CAST(? AS DECIMAL(65,30)) + seq END FROM seq_1_to_1000';
      const [run] = sendAll(connection, [sql(text, '1a', '1e40')]);
      await expect(run?.ended).rejects.toMatchObject({ code: 'value-out-of-range' });
    }));

  test('fails if there are more warnings than the server lists', () =>
    withConnection(database.connection, async (connection) => {
      const many = (rows: number) => sql(`SELECT ? + seq FROM seq_1_to_${rows}`, '1a');
      const [run, more] = sendAll(connection, [many(65_534), many(65_536)]);
      expect((await run?.ended)?.[0]).toHaveLength(65_534);
      await expect(more?.ended).rejects.toMatchObject({ code: 'evaluation-failed' });
    }));

  test('fails within a transaction', async () => {
    const source = mysqlSource(database.connection);
    const failing = onLease(source, async (lease) => {
      await lease.run(runOf([point(1)]).steps);
      await lease.run(runOf([long]).steps);
    });
    await expect(failing).rejects.toMatchObject({ code: 'text-too-long' });
    await source.close();
  });

  test('can be abandoned while the server is asked for its warnings', () =>
    withConnection(database.connection, async (connection) => {
      const asked = sql('SELECT SLEEP(0.3), ? + 1 FROM p WHERE id = 1', '1a');
      const [run] = sendAll(connection, [asked]);
      await until('its row has come', () => Promise.resolve(run?.rows[0]?.length === 1));
      expect(connection.inFlight).toBe(1);
      if (run) connection.abandon(run, new Error('abandoned'));
      await expect(run?.ended).rejects.toThrow('abandoned');
      await connection.stop();
      const [next] = sendAll(connection, [point(2)]);
      expect(await next?.ended).toEqual([[['2']]]);
    }));

  test('is given back while a long statement keeps the server from being asked', () =>
    withConnection(database.connection, async (connection) => {
      const runs = sendAll(connection, [harmless, sql('SELECT SLEEP(1)')]);
      const [doubtful, slow] = runs;
      await until('its rows have come', () => Promise.resolve(doubtful?.rows[0]?.length === 2));
      expect(connection.takeBackWaiting()).toEqual([]);
      await expect(doubtful?.ended).rejects.toMatchObject({ code: 'source-unavailable' });
      expect(await slow?.ended).toEqual([[['0']]]);
    }));

  test('keeps its connection while the server is asked', () =>
    withConnection(database.connection, async (connection) => {
      const asked = sql('SELECT SLEEP(0.3), ? + 1 FROM p WHERE id = 1', '1a');
      const [doubtful, next] = sendAll(connection, [asked, point(2)]);
      await until('the next row has come', () => Promise.resolve(next?.rows[0]?.length === 1));
      const behind = runOf([point(1)]);
      connection.send(behind);
      expect(connection.takeBackWaiting()).toEqual([behind]);
      expect(await doubtful?.ended).toEqual([[['0', '2']]]);
    }));

  test('does not repeat a write that returns rows', () =>
    withConnection(database.connection, async (connection) => {
      const write = sql('INSERT IGNORE INTO n (q) VALUES (?) RETURNING q', '1a');
      const [run] = sendAll(connection, [write]);
      expect(await run?.ended).toEqual([[['1']]]);
      const [count] = sendAll(connection, [sql('SELECT COUNT(*) FROM n')]);
      expect(await count?.ended).toEqual([[['1']]]);
    }));
});
