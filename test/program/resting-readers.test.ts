/**
 * Answers of several megabytes to readers that pause now and then, under other load, on both servers:
 * all get the same bytes. `ROWGATE_TEST_ANSWERS=20000` reads that many answers, as a proof.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRaw, rawPost } from '../http/raw-client.js';
import { readPausing } from '../support/pausing-reader.js';
import { describeServers } from '../support/http-servers.js';
import { post, type Program } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const ANSWERS = Number(process.env['ROWGATE_TEST_ANSWERS'] ?? '16');
const SEED = Number(process.env['ROWGATE_TEST_SEED'] ?? '20261122');

const query = 'Orders.details.include(d=>[d.order, d.product.include(p=>p.orderDetails)])';

let sample: SampleServer;
beforeAll(async () => {
  sample = await startSampleServer();
});
afterAll(() => sample.stop());

describeServers('on %s', (server) => {
  test(
    'each of many large answers is whole',
    async () => {
      const program = await sample.start(['--http-server', server]);
      const expected = Buffer.from((await post(program, '/execute', { query })).text);
      expect(expected.length).toBeGreaterThan(4e6);
      let isOver = false;
      const others = Promise.all([
        readOrders(program, () => isOver),
        leaveEarly(program, () => isOver),
      ]);
      try {
        const request = { method: 'POST', path: '/execute', body: JSON.stringify({ query }) };
        const reads = { answers: ANSWERS, connections: 4, seed: SEED };
        await readPausing({ port: program.port, ...request, expected, ...reads });
      } finally {
        isOver = true;
        await others;
        await program.stop();
      }
    },
    60_000 + 500 * ANSWERS,
  );
});

async function readOrders(program: Program, isOver: () => boolean): Promise<void> {
  for (let id = 1; !isOver(); id = 1 + (id % 830)) {
    const order = { query: 'Orders.filter(p=>p.id==id).map(p=>p.id)', data: { id } };
    const answer = await post(program, '/execute', order);
    // On a busy machine, it may have waited for too long.
    if (answer.status === 200) expect(answer.json()).toEqual([{ id }]);
    else expect(answer.status).toBe(503);
  }
}

/** Clients that disconnect in the middle of the same answer. */
async function leaveEarly(program: Program, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const client = await connectRaw(program.port);
    client.send(rawPost('/execute', JSON.stringify({ query })));
    // On a busy machine, it may take longer than the client waits.
    await client.until((text) => text.length > 100_000).catch(() => undefined);
    client.end();
  }
}
