import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createByteWriter, loadSchema, readArguments } from '../../src/engine/index.js';
import { Answer, type Outlet } from '../../src/workers/execute/answer.js';
import { createCancellation } from '../../src/workers/cancellation.js';
import { decodeText } from '../../src/workers/decode-text.js';
import { read } from '../../src/workers/execute/read.js';
import { withLeases } from '../../src/workers/execute/with-leases.js';
import { type Fixture, startFixture } from './fixture.js';
import { schemaOfTwoSources } from './schema-document.js';
import type { TestWorker } from './test-worker.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const stitched = `
  SELECT o.id, o.customer,
    coalesce((SELECT json_agg(json_build_object('id', d.id, 'orderId', d.order_id, 'qty', d.qty) ORDER BY d.id)
      FROM details d WHERE d.order_id = o.id), '[]') AS details
  FROM orders o ORDER BY o.id`;

describe('a plan without includes', () => {
  test('returns rows with the digits of the database', () =>
    fixture.withWorker({}, async (gateway) => {
      const { text, parts } = await gateway.execute('Points.filter(p=>p.id==id)', {
        data: { id: 5 },
      });
      expect(text).toBe(
        '[{"id":5,"name":"näme \\"5\\"","big":9007199254740998,"price":6.25,"qty":5}]',
      );
      expect(parts).toBe(0);
    }));

  test('keeps the digits of the data', () =>
    fixture.withWorker({}, async (gateway) => {
      const data = '{"big":9007199254740995}';
      const { text } = await gateway.execute('Points.filter(p=>p.big==big).map(p=>p.id)', { data });
      expect(text).toBe('[{"id":2}]');
    }));

  test('returns an empty list if there are no rows', () =>
    fixture.withWorker({}, async (gateway) => {
      expect((await gateway.execute('Points.filter(p=>p.id==id)', { data: { id: 0 } })).text).toBe(
        '[]',
      );
    }));

  test('indents on request', () =>
    fixture.withWorker({}, async (gateway) => {
      const compact = await gateway.execute('Points.filter(p=>p.id<3).map(p=>p.qty)');
      const { text } = await gateway.execute('Points.filter(p=>p.id<3).map(p=>p.qty)', {
        form: 'pretty',
      });
      expect(text).toBe(JSON.stringify(JSON.parse(compact.text), null, 2));
    }));

  test('treats a null parameter as IS NULL', () =>
    fixture.withWorker({}, async (gateway) => {
      const query = 'Points.filter(p=>p.qty==qty).map(p=>p.id)';
      expect(await gateway.rows(query, { qty: null })).toHaveLength(100);
      expect(await gateway.rows(query, { qty: 3 })).toHaveLength(100);
      expect(await gateway.rows(query, { qty: null })).toHaveLength(100);
    }));

  test.each([
    ['{"id":', 'data-malformed'],
    ['[1]', 'data-malformed'],
    ['{}', 'parameter-missing'],
    ['{"id":"x"}', 'parameter-type'],
    ['{"id":true}', 'parameter-type'],
  ])('refuses the data %s as %s', (data, code) =>
    fixture.withWorker({}, async (gateway) => {
      const answer = gateway.execute('Points.filter(p=>p.id==id)', { data });
      await expect(answer).rejects.toMatchObject({ problem: { code } });
      expect(await gateway.rows('Points.filter(p=>p.id==id)', { id: 7 })).toHaveLength(1);
    }),
  );

  test('runs far more concurrent requests than it has connections', () =>
    fixture.withWorker({ connectionsPerSource: 3 }, async (gateway) => {
      const query = 'Points.filter(p=>p.id==id).map(p=>p.id)';
      await gateway.compile(query);
      const ids = Array.from({ length: 600 }, (_, index) => index + 1);
      const answers = await Promise.all(ids.map((id) => gateway.rows(query, { id })));
      expect(answers).toEqual(ids.map((id) => [{ id }]));
    }));

  test('asks the gateway for a plan that it does not have', () =>
    fixture.withWorker({}, async (gateway) => {
      const reply = new Promise((resolve) => gateway.onReply(999, resolve));
      gateway.post({ type: 'executions', items: [999, 4711, undefined, undefined] });
      expect(await reply).toEqual({ type: 'planMissing', id: 999 });
    }));
});

describe('a plan with includes', () => {
  test.each([true, false])(
    'stitches as a join does (prepared statements: %s)',
    (preparedStatements) =>
      fixture.withWorker({ preparedStatements }, async (gateway) => {
        const query = 'Orders.sort(p=>p.id).include(p=>p.details)';
        expect(await gateway.rows(query)).toEqual(await fixture.sql(stitched));
        expect(await gateway.rows(query)).toEqual(await fixture.sql(stitched));
      }),
  );

  test('includes one level inside another', () =>
    fixture.withWorker({}, async (gateway) => {
      const query = 'Orders.filter(p=>p.id==id).include(p=>p.details.include(d=>d.order))';
      const rows = await gateway.rows(query, { id: 8 });
      const [row] = await fixture.sql(`SELECT * FROM (${stitched}) s WHERE id = 8`);
      const order = { id: 8, customer: 'C8' };
      const nested = row?.['details'].map((detail: object) => ({ ...detail, order }));
      expect(rows).toEqual([{ ...order, details: nested }]);
    }));

  test('returns the same bytes with windows of any size', () =>
    fixture.withWorker({}, async (gateway, worker) => {
      const plan = await gateway.compile('Orders.sort(p=>p.id).include(p=>p.details)');
      const answers = await Promise.all(
        [1000, 1, 7, 2499, 2500, 2501].map((windowRows) => textOf(worker, plan, windowRows)),
      );
      expect(answers[0]?.includes('"details":[]')).toBe(true);
      expect(new Set(answers).size).toBe(1);
    }));

  test('needs one connection for each request', () =>
    fixture.withWorker({ connectionsPerSource: 1 }, async (gateway) => {
      const query = 'Orders.filter(p=>p.id<=top).sort(p=>p.id).include(p=>p.details)';
      await gateway.compile(query);
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => gateway.rows(query, { top: 30 })),
      );
      expect(answers.every((rows) => Array.isArray(rows) && rows.length === 30)).toBe(true);
    }));
});

describe('an include across sources', () => {
  test('combines rows as a join does, and requests never wait for each other', () => {
    const changes = {
      schema: loadSchema(schemaOfTwoSources(fixture.connection)),
      connectionsPerSource: 1,
      connectionWaitMs: 10_000,
    };
    return fixture.withWorker(changes, async (gateway) => {
      const down = 'Orders.sort(p=>p.id).include(p=>p.details)';
      const up = 'Details.filter(p=>p.orderId==8).include(p=>p.order)';
      expect(await gateway.rows(down)).toEqual(await fixture.sql(stitched));
      await gateway.compile(up);
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => gateway.rows(index % 2 === 0 ? up : down)),
      );
      expect(answers[0]).toHaveLength(7);
      expect(answers[1]).toHaveLength(2500);
    });
  });
});

describe('a limit of rows', () => {
  test.each([
    [1000, 'Points'],
    [2, 'Orders.filter(p=>p.id==2600 || p.id==1).map(p=>p.id)'],
  ])('lets %s rows pass', (rowsMax, query) =>
    fixture.withWorker({ rowsMax }, async (gateway) => {
      await expect(gateway.execute(query)).resolves.toBeDefined();
    }),
  );

  test.each([
    [999, 'Points'],
    [2502, 'Orders.include(p=>p.details)'],
    [1000, 'Orders.include(p=>p.details)'],
  ])('of %s refuses %s', (rowsMax, query) =>
    fixture.withWorker({ rowsMax }, async (gateway) => {
      const code = 'rows-over-limit';
      await expect(gateway.execute(query)).rejects.toMatchObject({ problem: { code } });
      expect(await gateway.rows('Points.filter(p=>p.id==1)')).toHaveLength(1);
    }),
  );
});

/** The answer of a plan, read with windows of the given size. */
async function textOf(
  worker: TestWorker,
  plan: Parameters<typeof readArguments>[0],
  windowRows: number,
): Promise<string> {
  let text = '';
  const outlet: Outlet = {
    send(reply) {
      if (reply.type === 'part') text += Buffer.from(reply.bytes).toString('utf8');
    },
    sendWhole(_, bytes) {
      text = Buffer.from(bytes).toString('utf8');
    },
  };
  const answer = new Answer(1, outlet, Number.MAX_SAFE_INTEGER);
  const order = {
    plan,
    writer: createByteWriter(plan.root, { pretty: false }, decodeText),
    values: readArguments(plan, undefined),
    answer,
    rowsMax: 0,
    windowRows,
  };
  const { sources } = worker.context;
  const cancellation = createCancellation();
  await withLeases({ sources, names: [plan.root.source], cancellation }, (leases) =>
    read(order, leases),
  );
  answer.end();
  return text;
}
