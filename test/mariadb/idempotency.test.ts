/** Writes with an idempotency key on MariaDB; see `idempotency-suite`. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import mariadb, { type Connection } from 'mariadb';
import { expect, test } from 'vitest';
import { mysqlIdempotency } from '../../src/workers/database/mysql/idempotency.js';
import { blockOf } from '../docs/blocks.js';
import { describeMariadb, type MariadbDatabase } from '../support/mariadb.js';
import { describeKeys, type KeyedStage, sendKeyed } from '../workers/idempotency-suite.js';
import { startWorker } from '../workers/test-worker.js';
import { writeDocument } from '../workers/write-schema.js';
import { startWriteStage, type WriteStage } from '../workers/write-stage.js';

const WAIT_MS = 30_000;
/** The server updates its list of transactions only if it was not read for a tenth of a second. */
const POLL_MS = 150;

describeMariadb('a write with an idempotency key', () => {
  describeKeys(startKeyedStage);

  test(
    'is refused if its table cannot be created, and stored if it was as docs/writes.md says',
    withoutTheRight,
  );

  test('runs at the isolation level of one without a key', atTheUsualLevel);
});

/** In a trigger, because the server reports the level of a transaction only while it runs. */
const TELL = `CREATE TRIGGER tell BEFORE INSERT ON notes FOR EACH ROW SET NEW.text =
  (SELECT trx_isolation_level FROM information_schema.INNODB_TRX WHERE trx_mysql_thread_id = CONNECTION_ID())`;

async function atTheUsualLevel(): Promise<void> {
  const stage = await startWriteStage('MariaDB');
  try {
    await stage.database.seed();
    await stage.database.sql('DELETE FROM notes');
    await stage.database.sql(TELL);
    await sendKeyed(stage.gateway, 'k', 'f', [['Notes.insert()', { text: 'x' }]]);
    expect(await stage.gateway.rows('Notes')).toEqual([{ text: 'READ COMMITTED' }]);
  } finally {
    await stage.stop();
  }
}

async function startKeyedStage(): Promise<KeyedStage> {
  const stage = await startWriteStage('MariaDB');
  const { gateway, database } = stage;
  const connection = connectionOf(stage);
  const client = await mariadb.createConnection(connection);
  const holder = await mariadb.createConnection(connection);
  return {
    ...watched(client),
    gateway,
    groups: '`groups`',
    startWorker: (changes) => startWorker(writeDocument(connection, 'MariaDB'), changes),
    async seed() {
      await database.seed();
      await database.sql('DROP TABLE IF EXISTS rowgate_idempotency');
    },
    sql: (text) => database.sql(text),
    age: (minutes) =>
      database.sql(
        `UPDATE rowgate_idempotency SET created_at = UTC_TIMESTAMP(6) - INTERVAL ${minutes} MINUTE`,
      ),
    addOld: (rows) =>
      database.sql(`INSERT INTO rowgate_idempotency
        SELECT CONCAT('old', seq), 'f', '1', UTC_TIMESTAMP(6) - INTERVAL 2 HOUR FROM seq_1_to_${rows}`),
    async holdNotes() {
      await holder.query('START TRANSACTION');
      await holder.query('SELECT * FROM notes FOR UPDATE');
      return () => holder.commit();
    },
    async holdRecord(key) {
      await holder.query('START TRANSACTION');
      await holder.query('SELECT * FROM rowgate_idempotency WHERE `key` = ? FOR UPDATE', [key]);
      return () => holder.commit();
    },
    async stop() {
      await Promise.all([client.end(), holder.end()]);
      await stage.stop();
    },
  };
}

/** The transactions of this database only. */
const TRANSACTIONS = `SELECT COUNT(*) FROM information_schema.INNODB_TRX
  JOIN information_schema.PROCESSLIST ON ID = trx_mysql_thread_id WHERE DB = DATABASE()`;

function watched(
  client: Connection,
): Pick<KeyedStage, 'count' | 'openTransactions' | 'waitForLock'> {
  const number = async (sql: string): Promise<number> => {
    const rows: unknown = await client.query({ sql, rowsAsArray: true });
    return Number(String(rows));
  };
  return {
    count: (table) => number(`SELECT COUNT(*) FROM ${table}`),
    openTransactions: () => number(`${TRANSACTIONS} AND COMMAND = 'Sleep'`),
    async waitForLock(sessions = 1) {
      const end = performance.now() + WAIT_MS;
      while ((await number(`${TRANSACTIONS} AND trx_state = 'LOCK WAIT'`)) < sessions) {
        if (performance.now() > end) throw new Error('Nobody waits for a lock.');
        await sleep(POLL_MS);
      }
    },
  };
}

function connectionOf({ database }: WriteStage): MariadbDatabase['connection'] {
  if (database.mariadb) return database.mariadb;
  throw new Error('This stage is not on MariaDB.');
}

async function withoutTheRight(): Promise<void> {
  const stage = await startWriteStage('MariaDB');
  const connection = connectionOf(stage);
  const user = `limited_${randomUUID().slice(0, 8)}`;
  const { sql } = stage.database;
  await sql(`CREATE USER ${user}@'%' IDENTIFIED BY 'secret'`);
  try {
    await sql(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${connection.database}.* TO ${user}@'%'`);
    const limited = writeDocument({ ...connection, user, password: 'secret' }, 'MariaDB');
    const sendLimited = async (): Promise<string> => {
      const worker = startWorker(limited);
      try {
        return await sendKeyed(worker.gateway, 'k');
      } finally {
        await worker.close();
      }
    };
    const problem = { code: 'idempotency-unavailable', sqlstate: '42000' };
    await expect(sendLimited()).rejects.toMatchObject({ problem });
    // As Rowgate itself would create it.
    const create = blockOf('docs/writes.md', 'CREATE TABLE rowgate_idempotency (\n  `key`');
    expect(
      mysqlIdempotency.create.map(({ text }) => `${text};`.replace(' IF NOT EXISTS', '')),
    ).toEqual([create]);
    await sql(create);
    expect(JSON.parse(await sendLimited())).toMatchObject({ id: 3, name: 'new' });
  } finally {
    await sql(`DROP USER ${user}@'%'`);
    await stage.stop();
  }
}
