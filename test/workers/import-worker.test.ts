import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkerReply, WorkerRequest } from '../../src/workers/protocol.js';
import { createContext } from '../../src/workers/context.js';
import { AnswerMemory } from '../../src/workers/execute/answer-memory.js';
import { Server } from '../../src/workers/server.js';
import { createCancellation } from '../../src/workers/cancellation.js';
import { northwindSchema } from '../engine/ddl/cases.js';
import { northwindDocument } from '../engine/schema/northwind.js';
import { withClient } from '../support/embedded.js';
import { smallCounts, smallDocument } from './import-document.js';
import { openStage, type TestStage } from './import-stage.js';
import { isUnasked, settings } from './test-worker.js';
import { loadSchema } from '../../src/engine/index.js';
import { driverOf } from '../support/drivers.js';

const MIB = 1 << 20;

let stage: TestStage;

beforeEach(async () => {
  stage = await openStage(northwindSchema());
});
afterEach(() => stage.close());

/** The gateway's side of a worker's port: it posts requests, and collects the replies. */
function attach(changes: Partial<typeof settings> = {}) {
  const { host, port, user, database } = stage.connection;
  const url = `postgres://${user}@localhost/${database}?host=${host}&port=${port}`;
  const schema = loadSchema(northwindDocument({ DATABASE_URL: url }));
  const context = createContext({ ...settings, ...changes, schema }, driverOf);
  const { port1, port2 } = new MessageChannel();
  const server = new Server(port2, new AnswerMemory(new SharedArrayBuffer(64)), context);
  const replies: WorkerReply[] = [];
  const waiting: ((reply: WorkerReply) => void)[] = [];
  port1.on('message', (some: readonly WorkerReply[]) => {
    for (const reply of some.filter((each) => !isUnasked(each))) {
      const take = waiting.shift();
      if (take) take(reply);
      else replies.push(reply);
    }
  });
  const next = (): Promise<WorkerReply> => {
    const reply = replies.shift();
    return reply ? Promise.resolve(reply) : new Promise((resolve) => waiting.push(resolve));
  };
  const close = async (): Promise<void> => {
    port1.postMessage([{ type: 'close' }]);
    await server.ended;
    await Promise.all(context.sources.all.map((one) => one.close()));
    port1.close();
  };
  return { post: (...some: WorkerRequest[]) => port1.postMessage(some), next, close };
}

function chunk(text: string, last: boolean): WorkerRequest {
  return { type: 'chunk', id: 1, bytes: new TextEncoder().encode(text), last };
}

test('a worker gives credit for every chunk, and answers with the counts', async () => {
  const worker = attach();
  const text = JSON.stringify(smallDocument);
  worker.post(
    { type: 'import', id: 1, stage: 'default', view: 'default', strict: false },
    chunk(text.slice(0, 50), false),
  );
  expect(await worker.next()).toEqual({ type: 'taken', id: 1, bytes: 50 });
  worker.post(chunk(text.slice(50), true));
  expect(await worker.next()).toMatchObject({ type: 'taken', id: 1 });
  expect(await worker.next()).toEqual({
    type: 'imported',
    id: 1,
    counts: smallCounts,
    ignored: {},
  });
  await worker.close();
});

test('imports whose bodies do not arrive leave connections to the queries', async () => {
  const worker = attach({ connectionsPerSource: 3, connectionWaitMs: 1000 });
  const cut = '{"entities":[';
  for (const id of [1, 2]) {
    worker.post({ type: 'import', id, stage: 'default', view: 'default', strict: false });
    worker.post({ type: 'chunk', id, bytes: new TextEncoder().encode(cut), last: false });
  }
  expect(await worker.next()).toMatchObject({ type: 'taken', id: 1 });
  // The second import waits for the first one until it times out; the database probe does not wait.
  worker.post({ type: 'probe', id: 3, stage: 'default' });
  expect(await worker.next()).toMatchObject({ id: 3, type: 'probed' });
  const code = 'queue-timeout';
  expect(await worker.next()).toMatchObject({ type: 'failed', id: 2, problem: { code } });
  worker.post({ type: 'cancel', id: 1 });
  await worker.close();
});

test('a worker answers with the error', async () => {
  const worker = attach();
  worker.post(
    { type: 'import', id: 1, stage: 'default', view: 'default', strict: false },
    chunk('{"entities":[[', true),
  );
  const problem = { code: 'import-malformed', place: 'entities[0]' };
  expect(await worker.next()).toMatchObject({ type: 'failed', id: 1, problem });
  worker.post({ type: 'import', id: 1, stage: 'nowhere', view: 'default', strict: false });
  expect(await worker.next()).toMatchObject({ type: 'failed', problem: { code: 'unknown-stage' } });
  await worker.close();
});

test('a client that disconnects in the middle leaves nothing behind', async () => {
  const worker = attach();
  const rows = Array.from({ length: 50_000 }, (_, id) => `{"id":${id},"name":"s${id}"}`).join();
  worker.post(
    { type: 'import', id: 1, stage: 'default', view: 'default', strict: false },
    chunk(`{"entities":[{"entity":"Shippers","rows":[${rows}`, false),
  );
  expect(await worker.next()).toMatchObject({ type: 'taken' });
  worker.post({ type: 'cancel', id: 1 });
  expect(await worker.next()).toMatchObject({ type: 'failed', problem: { code: 'cancelled' } });
  expect(await stage.counts()).toEqual({});
  expect(await stage.sql(openTransactions)).toEqual([]);
  await worker.close();
});

test('an import that waits in the database is cancelled there', () =>
  withClient(stage.connection, async (holder) => {
    await holder.query('BEGIN; LOCK TABLE Shippers IN ACCESS EXCLUSIVE MODE');
    const cancellation = createCancellation();
    const document = { entities: [{ entity: 'Shippers', rows: [{ id: 2, name: 'b' }] }] };
    const importing = stage.import(document, { cancellation });
    const refused = expect(importing).rejects.toMatchObject({ problem: { code: 'cancelled' } });
    while ((await stage.sql(lockWaits)).length === 0) await sleep(10);
    cancellation.cancel();
    await refused;
    await holder.query('ROLLBACK');
    expect(await stage.counts()).toEqual({});
  }));

test('an interrupted body leaves nothing behind', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"entities":[{"entity":"Shippers","rows":[{"id":1,"name":"a"}');
    throw new Error('the line broke');
  }
  await expect(stage.import('', { body: broken() })).rejects.toThrow('the line broke');
  expect(await stage.counts()).toEqual({});
});

test('memory does not grow with a body of 100 MB', async () => {
  const before = process.memoryUsage().rss;
  let most = before;
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const piece of largeDocument(100 * MIB)) {
      most = Math.max(most, process.memoryUsage().rss);
      yield piece;
    }
  }
  const counts = await stage.import('', { body: watched() });
  expect(counts.map(({ entity }) => entity)).toEqual(['Suppliers', 'Products']);
  expect(counts[1]?.rows).toBeGreaterThan(300_000);
  expect((most - before) / MIB).toBeLessThan(200);
}, 240_000);

const lockWaits = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const openTransactions = `SELECT query FROM pg_stat_activity
  WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;

/** One supplier, and products up to the given number of bytes, in chunks of 256 KiB. */
async function* largeDocument(bytesMin: number): AsyncGenerator<Uint8Array> {
  const filler = 'x'.repeat(60);
  let text =
    '{"entities":[{"entity":"Suppliers","rows":[{"id":1,"name":"S"}]},{"entity":"Products","rows":[';
  let bytes = 0;
  for (let id = 1; bytes < bytesMin; id += 1) {
    text += `${id === 1 ? '' : ','}{"id":${id},"name":"${id} ${filler}","supplierId":1,"categoryId":null,"quantity":"${filler}","price":${id}.25,"inStock":${id},"onOrder":0,"reorderLevel":10,"discontinued":false}`;
    if (text.length < 256 * 1024) continue;
    bytes += text.length;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}]}]}`);
}
