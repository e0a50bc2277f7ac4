/** Writes with an idempotency key on PostgreSQL; see `idempotency-suite`. */
import { expect, test } from 'vitest';
import { postgresqlIdempotency } from '../../src/workers/database/postgresql/idempotency.js';
import { blockOf } from '../docs/blocks.js';
import { describeKeys, type KeyedStage, sendKeyed } from './idempotency-suite.js';
import { startWorker } from './test-worker.js';
import { watchDatabase } from './watch-database.js';
import { writeDocument } from './write-schema.js';
import { startWriteStage, type WriteStage } from './write-stage.js';

describeKeys(startKeyedStage);

async function startKeyedStage(): Promise<KeyedStage> {
  const stage = await startWriteStage();
  const { client, gateway } = stage;
  const sql = async (text: string): Promise<void> => void (await client.query(text));
  return {
    ...watchDatabase(client),
    gateway,
    groups: 'groups',
    startWorker: (changes) => startWorker(writeDocument(stage.connection), changes),
    async seed() {
      await stage.seed();
      await sql('DROP TABLE IF EXISTS rowgate_idempotency');
    },
    sql,
    age: (minutes) =>
      sql(`UPDATE rowgate_idempotency SET created_at = now() - interval '${minutes} minutes'`),
    addOld: (rows) =>
      sql(`INSERT INTO rowgate_idempotency
        SELECT 'old' || n, 'f', '1', now() - interval '2 hours' FROM generate_series(1, ${rows}) AS n`),
    async holdNotes() {
      await sql('BEGIN; LOCK TABLE notes');
      return () => sql('COMMIT');
    },
    async holdRecord(key) {
      await sql(`BEGIN; SELECT * FROM rowgate_idempotency WHERE key = '${key}' FOR UPDATE`);
      return () => sql('COMMIT');
    },
    stop: () => stage.stop(),
  };
}

test('without the right to create the table, nothing is written before it is created as docs/writes.md says', async () => {
  const stage = await startWriteStage();
  try {
    await withoutTheRight(stage);
  } finally {
    await stage.stop();
  }
});

async function withoutTheRight(stage: WriteStage): Promise<void> {
  const { count } = watchDatabase(stage.client);
  await stage.seed();
  // Roles belong to the whole server.
  const limited = `limited_${stage.connection.database}`;
  await stage.client.query(`CREATE ROLE ${limited} LOGIN;
    GRANT ALL ON ALL TABLES IN SCHEMA public TO ${limited};
    GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${limited}`);
  const sendLimited = async (): Promise<string> => {
    const worker = startWorker(writeDocument({ ...stage.connection, user: limited }));
    try {
      return await sendKeyed(worker.gateway, 'k');
    } finally {
      await worker.close();
    }
  };
  const problem = { code: 'idempotency-unavailable', sqlstate: '42501' };
  await expect(sendLimited()).rejects.toMatchObject({ problem });
  // The table exists now, but the role has no permission for it.
  await sendKeyed(stage.gateway, 'other', 'f', [['Notes.insert()', { text: 'x' }]]);
  await expect(sendLimited()).rejects.toMatchObject({ problem });
  expect(await count('groups')).toBe(2);
  const recipe = blockOf('docs/writes.md', 'CREATE TABLE rowgate_idempotency (\n  key text');
  const [, ...created] = postgresqlIdempotency.create.map(({ text }) => text);
  expect(recipe).toContain(`${created.join(';\n').replaceAll(' IF NOT EXISTS', '')};\n`);
  await stage.client.query('DROP TABLE rowgate_idempotency');
  await stage.client.query(recipe.replace('the_role', limited));
  expect(JSON.parse(await sendLimited())).toMatchObject({ name: 'new' });
}
