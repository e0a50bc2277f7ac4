/** The compiled worker, in a thread of Piscina. */
import { existsSync } from 'node:fs';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerContext } from '../../src/workers/protocol.js';
import { withClient } from '../support/embedded.js';
import { until } from '../support/program.js';
import { type Fixture, startFixture } from './fixture.js';
import { schemaDocument } from './schema-document.js';
import { MEMORY_BYTES, settings, TestGateway } from './test-worker.js';
import { loadSchema } from '../../src/engine/index.js';

const entry = new URL('../../dist/workers/main.js', import.meta.url);

let fixture: Fixture;
beforeAll(async () => {
  if (!existsSync(entry)) throw new Error('The workers are not built: run `npm run build` first.');
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

interface Attached {
  readonly piscina: Piscina;
  readonly gateway: TestGateway;
  /** Settles with the only task of the worker. */
  readonly ended: Promise<unknown>;
}

function attach(): Attached {
  const context: WorkerContext = {
    ...settings,
    schema: loadSchema(schemaDocument(fixture.connection)),
  };
  const piscina = new Piscina({
    filename: entry.href,
    minThreads: 1,
    maxThreads: 1,
    atomics: 'disabled',
    workerData: context,
  });
  const { port1, port2 } = new MessageChannel();
  const memory = new SharedArrayBuffer(MEMORY_BYTES);
  const ended = piscina.run({ port: port2, memory }, { transferList: [port2] });
  ended.catch(() => undefined);
  return { piscina, gateway: new TestGateway(port1, memory), ended };
}

test('a thread serves its port until it is closed', async () => {
  const { piscina, gateway, ended } = attach();
  try {
    const rows = await gateway.rows('Points.filter(p=>p.id==id).map(p=>p.id)', { id: 3 });
    expect(rows).toEqual([{ id: 3 }]);
    const { parts } = await gateway.execute('Many');
    expect(parts).toBeGreaterThan(100);
    gateway.post({ type: 'close' });
    await expect(ended).resolves.toBeUndefined();
  } finally {
    await piscina.destroy();
  }
});

test('a worker whose schema is no longer in force closes idle connections, and serves on', async () => {
  const { piscina, gateway } = attach();
  const row = () => gateway.rows('Points.filter(p=>p.id==id).map(p=>p.id)', { id: 3 });
  const sessions = () =>
    fixture.sql(`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'rowgate'`);
  try {
    await row();
    expect(await sessions()).not.toEqual([]);
    gateway.post({ type: 'retire' });
    await until('all are closed', async () => (await sessions()).length === 0);
    expect(await row()).toEqual([{ id: 3 }]);
    await until('its connection is closed', async () => (await sessions()).length === 0);
  } finally {
    await piscina.destroy();
  }
});

test('requests that are running when a worker is closed are finished', async () => {
  const { piscina, gateway, ended } = attach();
  try {
    await gateway.compile('Many');
    const { received } = gateway.start('Many');
    gateway.post({ type: 'close' });
    await ended;
    expect(JSON.parse((await received).text)).toHaveLength(300_000);
  } finally {
    await piscina.destroy();
  }
});

test('an uncaught error answers the running reads and ends the thread', async () => {
  const { piscina, gateway, ended } = attach();
  try {
    await gateway.compile('Slow');
    const { received } = gateway.start('Slow');
    const bogus: never[] = JSON.parse('[{"type":"bogus"}]');
    gateway.post(...bogus);
    await expect(received).rejects.toMatchObject({ problem: { code: 'internal' } });
    await expect(ended).rejects.toThrow('bogus');
  } finally {
    await piscina.destroy();
  }
});

test('an uncaught error leaves the answer of a write to the gateway, because its outcome is unknown', async () => {
  const { piscina, gateway, ended } = attach();
  const update = 'Points.update(p=>({qty: n})).filter(p=>p.id==id)';
  try {
    await gateway.compile(update);
    await gateway.compile('Slow');
    await withClient(fixture.connection, async (holder) => {
      await holder.query('BEGIN; SELECT 1 FROM points WHERE id = 1 FOR UPDATE');
      let isAnswered = false;
      const answered = (): void => void (isAnswered = true);
      const write = gateway.start(update, { data: { id: 1, n: 5 } }).received;
      write.then(answered, answered);
      const transaction = gateway.startTransaction([[update, { id: 1, n: 6 }]]).received;
      transaction.then(answered, answered);
      await until('both wait', async () => (await waiting()) === 2);
      const { received } = gateway.start('Slow');
      const bogus: never[] = JSON.parse('[{"type":"bogus"}]');
      gateway.post(...bogus);
      // Later requests are answered later.
      await expect(received).rejects.toMatchObject({ problem: { code: 'internal' } });
      expect(isAnswered).toBe(false);
      await holder.query('ROLLBACK');
    });
    await expect(ended).rejects.toThrow('bogus');
  } finally {
    await piscina.destroy();
  }
});

async function waiting(): Promise<number> {
  const rows = await fixture.sql(`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'rowgate' AND wait_event_type = 'Lock'`);
  return rows.length;
}
