import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { DivertedClient, openStream } from '../../../src/workers/database/postgresql/client.js';
import { PostgresqlConnection } from '../../../src/workers/database/postgresql/connection.js';
import { fieldsOf, type Run } from '../../../src/workers/database/statement.js';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
  withClient,
} from '../../support/embedded.js';

let database: ThrowawayDatabase;
let client: DivertedClient;
let connection: PostgresqlConnection;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  client = new DivertedClient({ ...database.connection, stream: openStream });
  await client.connect();
  connection = new PostgresqlConnection(client, true);
  await sql('DROP TABLE IF EXISTS things; CREATE TABLE things (id int PRIMARY KEY, name text)');
});
afterEach(() => connection.destroy());

const sql = (text: string) =>
  withClient(database.connection, async (client) => (await client.query(text)).rows);

/** How a run ended: its rows, or the code of its error. */
interface Sent {
  readonly run: Run;
  readonly outcome: Promise<unknown>;
}

/** Sends statements as one run, without a flush. */
function send(texts: readonly string[], changes: Partial<Run> = {}): Sent {
  const rows: unknown[] = [];
  const sink = {
    row: (bytes: Buffer, start: number) => void rows.push(fieldsOf(bytes, start).join()),
  };
  const steps = texts.map((text) => ({
    statement: { text, parameters: [] },
    rowsMax: 0,
    sink,
  }));
  let resolve: (outcome: unknown) => void = () => undefined;
  const outcome = new Promise<unknown>((settle) => {
    resolve = settle;
  });
  let ends = 0;
  const run: Run = {
    steps,
    ...changes,
    end: (error) => {
      ends += 1;
      expect(ends).toBe(1);
      resolve(error === undefined ? rows : codeOf(error));
    },
  };
  connection.send(run);
  return { run, outcome };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}

function outcomes(sent: readonly Sent[]): Promise<unknown[]> {
  connection.flush();
  return Promise.all(sent.map(({ outcome }) => outcome));
}

test('a run that fails among others is rolled back without affecting the others', async () => {
  const sent = [
    send([`INSERT INTO things VALUES (1, 'a') RETURNING id`], { isCommit: true }),
    send([`INSERT INTO things VALUES (2, 'b')`, `INSERT INTO things VALUES (1, 'c')`]),
    send(['SELECT 1/0']),
    send([`INSERT INTO things VALUES (3, 'd') RETURNING id`], { isCommit: true }),
  ];
  expect(await outcomes(sent)).toEqual([['1'], 'unique-violation', 'evaluation-failed', ['3']]);
  expect(await sql('SELECT id FROM things ORDER BY id')).toEqual([{ id: 1 }, { id: 3 }]);
  expect(connection.inFlight).toBe(0);
});

test('statements whose tables have changed are sent again', async () => {
  await sql(`INSERT INTO things VALUES (1, 'a')`);
  const read = ['SELECT * FROM things'];
  expect(await outcomes([send(read)])).toEqual([['1,a']]);
  await sql('ALTER TABLE things ADD extra int DEFAULT 7');
  expect(await outcomes([send(read), send(['SELECT 1']), send(read)])).toEqual([
    ['1,a,7'],
    ['1'],
    ['1,a,7'],
  ]);
  await sql('ALTER TABLE things DROP extra');
  expect(await outcomes([send(read, { isBoundToTypes: true })])).toEqual(['cached-plan-invalid']);
  expect(await outcomes([send(read, { isBoundToTypes: true })])).toEqual([['1,a']]);
});

test('a run that begins a transaction begins it again if a cached plan is invalid', async () => {
  const read = 'SELECT * FROM things';
  expect(await outcomes([send([read])])).toEqual([[]]);
  await sql('ALTER TABLE things ADD extra int');
  expect(await outcomes([send(['BEGIN', `INSERT INTO things VALUES (5, 'e')`, read])])).toEqual([
    ['5,e,'],
  ]);
  expect(connection.isInTransaction).toBe(true);
  expect(await outcomes([send(['ROLLBACK'])])).toEqual([[]]);
  expect(connection.isInTransaction).toBe(false);
});

test('abandoned work ends at once, and what is behind it continues', async () => {
  const long = send([`SELECT pg_sleep(0.3), 'late'`]);
  const next = send(['SELECT 2']);
  connection.flush();
  connection.abandon(long.run, new Error('enough'));
  expect(await long.outcome).toEqual(new Error('enough'));
  expect(connection.inFlight).toBe(2);
  expect(await next.outcome).toEqual(['2']);
  expect(connection.inFlight).toBe(0);
});

test('waiting reads behind another run are taken back, but writes are not', async () => {
  const head = send([`SELECT 'head' FROM pg_sleep(0.2)`]);
  const read = send(['SELECT 2']);
  const write = send([`INSERT INTO things VALUES (1, 'a') RETURNING id`], { isCommit: true });
  connection.flush();
  expect(connection.takeBackWaiting()).toEqual([read.run]);
  expect(await outcomes([head, write])).toEqual([['head'], ['1']]);
  expect(connection.inFlight).toBe(0);
  // It no longer belongs to the connection, so the test sends it again.
  connection.send(read.run);
  connection.flush();
  expect(await read.outcome).toEqual(['2']);
});

test('a read that was taken back and sent again is abandoned once', async () => {
  const head = send([`SELECT 'head' FROM pg_sleep(0.2)`]);
  const read = send(['SELECT 2']);
  connection.flush();
  expect(connection.takeBackWaiting()).toEqual([read.run]);
  connection.send(read.run);
  connection.flush();
  connection.abandon(read.run, new Error('gone'));
  expect(await outcomes([head, read, send(['SELECT 3'])])).toEqual([
    ['head'],
    new Error('gone'),
    ['3'],
  ]);
});

test('the outcome of a commit is unknown if its connection is lost', async () => {
  const write = send([`INSERT INTO things SELECT 1, 'a' FROM pg_sleep(5)`], { isCommit: true });
  const read = send(['SELECT 1']);
  connection.flush();
  const unsent = send([`INSERT INTO things VALUES (2, 'b')`], { isCommit: true });
  connection.destroy();
  const codes = await Promise.all([write, read, unsent].map(({ outcome }) => outcome));
  expect(codes).toEqual(['outcome-unknown', 'source-unavailable', 'source-unavailable']);
  const late = send(['SELECT 1']);
  expect(await late.outcome).toBe('source-unavailable');
});

test('a write is known not to have run if the server had announced the end of its idle connection', async () => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P05\0Mterminating connection\0\0');
  const head = Buffer.from('E    ');
  head.writeInt32BE(fields.length + 4, 1);
  client.reader?.(Buffer.concat([head, fields]));
  const write = send([`INSERT INTO things VALUES (1, 'a')`], { isCommit: true });
  connection.flush();
  connection.destroy();
  expect(await write.outcome).toBe('source-unavailable');
});

test('a stop interrupts the running statement, and nothing that follows it', async () => {
  const long = send(['SELECT pg_sleep(60)']);
  connection.flush();
  await connection.stop();
  // PostgreSQL reports a cancel with the same SQLSTATE as a timeout.
  expect(await long.outcome).toBe('statement-timeout');
  for (let round = 0; round < 20; round += 1) {
    expect(await outcomes([send(['SELECT 1 FROM pg_sleep(0.001)'])])).toEqual([['1']]);
  }
});

/** Short enough to share a transaction, in milliseconds. */
const short = { expectedMs: 0.01 };

test('short reads that are sent together are one transaction', async () => {
  const asked = () => outcomes([0, 1, 2].map(() => send(['SELECT now()::text'], short)));
  const now = (await asked()).map(String);
  expect(new Set(now).size).toBe(1);
  // A later statement is in another transaction, and so is one that may take long.
  const long = send(['SELECT now()::text'], { expectedMs: 5 });
  const [behind, alone] = await outcomes([send(['SELECT now()::text'], short), long]);
  expect(new Set([now[0], String(behind), String(alone)]).size).toBe(3);
});

test('one that fails does not affect the others', async () => {
  const texts = [
    'SELECT 1',
    'SELECT 2',
    'SELECT 1 / 0',
    'SELECT 4',
    'SELECT * FROM nowhere',
    'SELECT 6',
  ];
  for (let round = 0; round < 3; round += 1) {
    const ended = await outcomes(texts.map((text) => send([text], short)));
    expect(ended).toEqual([['1'], ['2'], 'evaluation-failed', ['4'], 'schema-mismatch', ['6']]);
    expect(connection.inFlight).toBe(0);
    expect(connection.isInTransaction).toBe(false);
  }
});

test('short reads of changed tables are sent again', async () => {
  await sql(`INSERT INTO things VALUES (1, 'one')`);
  const texts = ['SELECT * FROM things', 'SELECT 2', 'SELECT * FROM things', 'SELECT 4'];
  const asked = () => outcomes(texts.map((text) => send([text], short)));
  expect(await asked()).toEqual([['1,one'], ['2'], ['1,one'], ['4']]);
  await sql('ALTER TABLE things ADD COLUMN size int DEFAULT 7');
  expect(await asked()).toEqual([['1,one,7'], ['2'], ['1,one,7'], ['4']]);
});

test('all reads of a group that waits for a lock are taken back', async () => {
  await withClient(database.connection, async (holder) => {
    await holder.query('BEGIN; LOCK TABLE things');
    const texts = ['SELECT 1', 'SELECT count(*) FROM things', 'SELECT 3'];
    const group = texts.map((text) => send([text], short));
    connection.flush();
    await vi.waitFor(async () => {
      const waiting = await sql(`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`);
      expect(waiting).toHaveLength(1);
    }, 30_000);
    expect(connection.takeBackWaiting()).toEqual(group.map(({ run }) => run));
    await connection.stop();
    expect(connection.inFlight).toBe(0);
    expect(await outcomes([send(['SELECT 5'], short)])).toEqual([['5']]);
    await holder.query('ROLLBACK');
  });
});

test.each([true, false])(
  'a read whose rows have arrived is taken back with its group if it can start again: %s',
  async (canRestart) => {
    await withClient(database.connection, async (holder) => {
      await holder.query('BEGIN; LOCK TABLE things');
      // More than the server's buffer, which holds back the end of the answer.
      const many = `SELECT repeat('x', 300) FROM generate_series(1, 40)`;
      const first = send([many], { ...short, restart: () => canRestart });
      const locked = send(['SELECT count(*) FROM things'], short);
      connection.flush();
      await vi.waitFor(() => expect(connection.heardAt).toBeGreaterThan(0), 30_000);
      const taken = connection.takeBackWaiting();
      expect(taken).toEqual(canRestart ? [first.run, locked.run] : [locked.run]);
      await holder.query('ROLLBACK');
      if (!canRestart) expect(await first.outcome).toHaveLength(40);
    });
  },
);

test('an abandoned read of a group is not sent again after a failure', async () => {
  const first = send(['SELECT 1'], short);
  const failed = send(['SELECT 1 / 0'], short);
  const gone = send([`INSERT INTO things VALUES (9, 'gone') RETURNING id`], short);
  const last = send(['SELECT 4'], short);
  connection.abandon(gone.run, new Error('gone'));
  const ended = await outcomes([first, failed, last]);
  expect(ended).toEqual([['1'], 'evaluation-failed', ['4']]);
  expect(await sql('SELECT id FROM things')).toEqual([]);
});

test('a URL without a user means the name of the account, even without the variable USER', () => {
  const module = new URL('../../../dist/workers/database/postgresql/client.js', import.meta.url);
  const script = `
const { DivertedClient } = await import(process.argv[1]);
const { user } = new DivertedClient({ connectionString: 'postgresql:///shop?host=/run/postgresql' });
process.stdout.write(String(user));
`;
  const words = ['--input-type=module', '-e', script, module.href];
  const user = execFileSync(process.execPath, words, { env: {}, encoding: 'utf8' });
  expect(user).toBe(userInfo().username);
});
