/** Connections to MariaDB that are killed, cut, or lose their prepared statements. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { until } from '../support/program.js';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.js';
import { runOf, sendAll, sql, withConnection } from './mysql-source.js';

const point = (id: number) => sql('SELECT id, name FROM p WHERE id = ?', String(id));
const write = (id: number) => sql('INSERT INTO w VALUES (?)', String(id));
const slow = (seconds: number) => sql('SELECT SLEEP(?) FROM p WHERE id = 1', String(seconds));

describeMariadb('a connection that is broken', () => {
  let database: MariadbDatabase;
  let proxy: FaultyProxy;

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.withClient((client) =>
      client.query(`CREATE TABLE p (id int PRIMARY KEY, name varchar(40));
        INSERT INTO p SELECT seq, CONCAT('n', seq) FROM seq_1_to_10;
        CREATE TABLE w (id int PRIMARY KEY)`),
    );
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    proxy = await startFaultyProxy(database.connection);
  });
  afterEach(() => proxy.close());

  const query = (text: string) => database.withClient((client) => client.query(text));
  const untilLocked = (count: number) =>
    until('statements wait for the table', async () => {
      const found = await query(
        `SELECT 1 FROM information_schema.processlist
         WHERE db = DATABASE() AND state = 'Waiting for table metadata lock'`,
      );
      return found.length === count;
    });
  const throughProxy = () => ({ ...database.connection, port: proxy.port });

  test('stops the running statement, and nothing that follows it', () =>
    withConnection(database.connection, async (connection) => {
      for (let round = 0; round < 20; round += 1) {
        const [run] = sendAll(connection, [slow(round % 2 === 0 ? 20 : 0)]);
        if (run) connection.abandon(run, new Error('gone'));
        await connection.stop();
        expect(connection.inFlight).toBe(0);
        const after = sendAll(connection, [point(1), point(2)]);
        expect(await Promise.all(after.map((each) => each.ended))).toHaveLength(2);
      }
    }));

  test('stops a statement that is waiting to be prepared, and returns the runs after it', () =>
    withConnection(database.connection, async (connection) => {
      await sendAll(connection, [sql('SELECT 1')])[0]?.ended;
      await database.withClient(async (reader) => {
        await reader.query('START TRANSACTION; SELECT id FROM p');
        // It waits for the reader, and later statements wait for it.
        const altering = query('ALTER TABLE p MODIFY name varchar(50)');
        await untilLocked(1);
        const [locked] = sendAll(connection, [point(1)]);
        const behind = sendAll(connection, [sql('SELECT 1'), sql('SELECT 2')]);
        await untilLocked(2);
        expect([...connection.takeBackWaiting()]).toEqual(behind);
        if (locked) connection.abandon(locked, new Error('gone'));
        expect(connection.inFlight).toBeGreaterThan(0);
        await connection.stop();
        expect(connection.inFlight).toBe(0);
        const again = sendAll(connection, [sql('SELECT 1'), sql('SELECT 2')]);
        expect(await Promise.all(again.map((run) => run.ended))).toEqual([[[['1']]], [[['2']]]]);
        await reader.query('COMMIT');
        await altering;
      });
      expect(await sendAll(connection, [point(1)])[0]?.ended).toEqual([[['1', 'n1']]]);
    }));

  test('sends a statement again that the server no longer has', () =>
    withConnection(throughProxy(), async (connection) => {
      await sendAll(connection, [point(1)])[0]?.ended;
      proxy.loseStatement();
      const runs = sendAll(connection, [point(2), point(3)]);
      expect(await Promise.all(runs.map((run) => run.ended))).toEqual([
        [[['2', 'n2']]],
        [[['3', 'n3']]],
      ]);
    }));

  test('a connection that the server ends fails the runs in flight', () =>
    withConnection(database.connection, async (connection) => {
      await Promise.all(
        sendAll(connection, [slow(0), point(1), write(20)]).map((run) => run.ended),
      );
      const first = runOf([slow(20)]);
      const read = runOf([point(1)]);
      const commit = runOf([write(21)], true);
      for (const run of [first, read, commit]) connection.send(run);
      connection.flush();
      const id = await until('it runs', async () => {
        const [found]: readonly { readonly id: bigint }[] = await query(
          `SELECT id FROM information_schema.processlist
           WHERE db = DATABASE() AND info LIKE '%SLEEP%' AND id <> CONNECTION_ID()`,
        );
        return found?.id ?? false;
      });
      await query(`KILL ${id}`);
      await expect(first.ended).rejects.toMatchObject({ code: 'source-unavailable' });
      await expect(read.ended).rejects.toMatchObject({ code: 'source-unavailable' });
      await expect(commit.ended).rejects.toMatchObject({ code: 'outcome-unknown' });
      expect(connection.isAlive).toBe(false);
      expect(await query('SELECT id FROM w WHERE id = 21')).toEqual([]);
      const late = runOf([point(1)]);
      connection.send(late);
      await expect(late.ended).rejects.toMatchObject({ code: 'source-unavailable' });
    }));

  test('after a lost connection, the outcome of writes is unknown, but not that of reads', () =>
    withConnection(throughProxy(), async (connection) => {
      await sendAll(connection, [point(1), write(30)])[1]?.ended;
      const failing = runOf([write(30)], true);
      connection.send(failing);
      connection.flush();
      await expect(failing.ended).rejects.toMatchObject({ code: 'unique-violation' });
      proxy.holdAnswers();
      const written = runOf([write(31)], true);
      const read = runOf([point(1)]);
      const unprepared = runOf([sql('INSERT INTO w VALUES (32)')], true);
      for (const run of [written, read, unprepared]) connection.send(run);
      connection.flush();
      await until(
        'it is stored',
        async () => (await query('SELECT id FROM w WHERE id = 31')).length > 0,
      );
      proxy.cut();
      await expect(written.ended).rejects.toMatchObject({ code: 'outcome-unknown' });
      await expect(read.ended).rejects.toMatchObject({ code: 'source-unavailable' });
      await expect(unprepared.ended).rejects.toMatchObject({ code: 'source-unavailable' });
    }));

  test.each([
    ['ProxySQL', 2013, 'Lost connection to server during query', 'outcome-unknown'],
    ['ProxySQL', 2006, 'Server has gone away', 'outcome-unknown'],
    ['ProxySQL', 2055, 'Lost connection to server at reading', 'outcome-unknown'],
    ['ProxySQL', 9004, 'Detected an offline server during query', 'outcome-unknown'],
    ['ProxySQL', 9001, 'Max connect timeout reached', 'source-unavailable'],
    ['ProxySQL', 2003, "Can't connect to server on 'db.example'", 'source-unavailable'],
    ['MaxScale', 2003, 'Lost connection to backend server.', 'outcome-unknown'],
    ['MaxScale', 1927, 'Lost connection to backend server: network error', 'outcome-unknown'],
    ['MariaDB', 1927, 'Connection was killed', 'source-unavailable'],
    ['MariaDB', 1180, 'Got error 5 "Input/output error" during COMMIT', 'outcome-unknown'],
    ['Galera', 1180, 'Got error 90 "Message too long" during COMMIT', 'refused-by-database'],
    [
      'Galera',
      1180,
      'Got error 149 "Lock deadlock; Retry transaction" during COMMIT',
      'serialization-failure',
    ],
  ])('when %s answers a write with %i (%s), the outcome is %s', async (_, errno, message, code) => {
    await withConnection(throughProxy(), async (connection) => {
      await sendAll(connection, [point(1), write(40)])[1]?.ended.catch(() => undefined);
      proxy.holdAnswers();
      const written = runOf([write(41)], true);
      connection.send(written);
      connection.flush();
      proxy.say(errno, message);
      await expect(written.ended).rejects.toMatchObject({ code });
    });
  });

  test('when a proxy has lost the server, reads and statements that were not executed can be sent again', () =>
    withConnection(throughProxy(), async (connection) => {
      await sendAll(connection, [point(1), write(50)])[1]?.ended;
      proxy.holdAnswers();
      const commit = runOf([{ ...sql('COMMIT'), isCommand: true }], true);
      const read = runOf([point(1)]);
      for (const run of [commit, read]) connection.send(run);
      connection.flush();
      for (const _ of [commit, read]) proxy.say(2013, 'Lost connection to server during query');
      await expect(commit.ended).rejects.toMatchObject({ code: 'outcome-unknown' });
      await expect(read.ended).rejects.toMatchObject({ code: 'source-unavailable' });
      const unprepared = runOf([sql('INSERT INTO w VALUES (51)')], true);
      connection.send(unprepared);
      connection.flush();
      proxy.say(2013, 'Lost connection to server during query');
      await expect(unprepared.ended).rejects.toMatchObject({ code: 'source-unavailable' });
    }));

  test('a connection on which the server announces its end is not used again', () =>
    withConnection(throughProxy(), async (connection) => {
      await sendAll(connection, [point(1)])[0]?.ended;
      proxy.say(4031, 'The client was disconnected by the server because of inactivity.');
      await until('the end is announced', () => Promise.resolve(!connection.isAlive));
      const late = runOf([point(1)]);
      connection.send(late);
      await expect(late.ended).rejects.toMatchObject({ code: 'source-unavailable' });
    }));

  test('a destroyed connection is distinguished from an idle one', () =>
    withConnection(database.connection, async (connection) => {
      const [run] = sendAll(connection, [slow(20)]);
      connection.destroy();
      await expect(run?.ended).rejects.toMatchObject({ code: 'source-unavailable' });
      expect([connection.isAlive, connection.inFlight]).toEqual([false, 0]);
    }));
});
