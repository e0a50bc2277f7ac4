/**
 * Writes with idempotency keys during crashes: each is stored exactly once and completely, and keeps
 * its first answer.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../support/embedded.js';
import { post, type Program, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const CLIENTS = 8;
const WRITES_OF_CLIENT = 40;
const CRASHES = 3;
const SENT_MAX = 50;

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

const sql = (text: string) =>
  withClient(server.connection, async (client) => (await client.query(text)).rows);

const customer = 'BQWJR';
const body = (name: string) => [
  {
    query: 'Orders.insert().include(p=>p.details)',
    data: {
      customerId: customer,
      employeeId: 1,
      name,
      details: [{ productId: 1, unitPrice: 1, quantity: 1, discount: 0 }],
    },
  },
  {
    query: 'Orders.details.insert()',
    data: { orderId: { $ref: '0.id' }, productId: 2, unitPrice: 2, quantity: 2, discount: 0 },
  },
];

test('a write that is repeated until it is answered is stored once, whatever is killed meanwhile', async () => {
  let program = server.start();
  const answers = new Map<string, string>();
  let resent = 0;

  /** Sends the request with the same key until it is answered. */
  async function write(name: string): Promise<void> {
    for (let sent = 0; sent < SENT_MAX; sent += 1) {
      const current: Program = await program;
      const key = { 'idempotency-key': name };
      const answer = await post(current, '/transaction', body(name), key).catch(() => undefined);
      if (answer?.status === 200) return void answers.set(name, answer.text);
      // Of the failures, only those that are not the fault of the request may be retried.
      expect([undefined, 503]).toContain(answer?.status);
      resent += 1;
    }
    throw new Error(`${name} was sent in vain`);
  }

  const writing = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let index = 0; index < WRITES_OF_CLIENT; index += 1) await write(`${client}-${index}`);
  });
  const all = CLIENTS * WRITES_OF_CLIENT;
  for (let crash = 1; crash <= CRASHES; crash += 1) {
    const enough = (all * crash) / (CRASHES + 2);
    await until(`${enough} writes are answered`, () => answers.size >= enough);
    // First, some of the running requests lose their backend process; then all of them lose the
    // gateway.
    await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'rowgate' AND state <> 'idle' LIMIT 2`);
    const killed = await program;
    program = server.start();
    killed.signal('SIGKILL');
    await killed.ended;
  }
  await Promise.all(writing);

  const orders = await sql(`SELECT count(*)::int AS rows, count(DISTINCT o.ShipName)::int AS names,
      count(*) FILTER (WHERE 2 <> (SELECT count(*) FROM "Order Details" d WHERE d.OrderID = o.OrderID))::int AS torn
    FROM Orders o WHERE o.ShipName ~ '^[0-9]+-[0-9]+$'`);
  expect(orders).toEqual([{ rows: all, names: all, torn: 0 }]);
  expect(resent).toBeGreaterThan(0);
  const last = await program;
  for (const [name, text] of answers) {
    const again = await post(last, '/transaction', body(name), { 'idempotency-key': name });
    expect(again.text).toBe(text);
  }
  await last.stop();
});
