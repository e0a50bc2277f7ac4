/** What short reads without a session answer: the same as each request by itself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RowsForm } from '../../../src/engine/index.js';
import type { WorkerContext } from '../../../src/workers/protocol.js';
import { KeptBatch, LoneBatch, WrittenBatch } from '../../../src/workers/lanes/quick-batch.js';
import { type LaneFixture, startLaneFixture } from './lane-fixture.js';
import { tables } from './lane-schema.js';
import type { Ask, LaneWorker } from './lane-worker.js';
import { type QuickWatch, watchQuickReads } from './quick-reads.js';

let fixture: LaneFixture;
let quick: QuickWatch;
beforeAll(async () => {
  quick = watchQuickReads(WrittenBatch);
  fixture = await startLaneFixture(`${tables}
    CREATE TABLE changing (id int, name text);
    CREATE TABLE heavy (id int PRIMARY KEY, body text);
    ALTER TABLE heavy ALTER body SET STORAGE external;
    INSERT INTO heavy SELECT i, repeat(chr(64 + i % 26), CASE WHEN i <= 20 THEN 1000000 ELSE 10 END)
      FROM generate_series(1, 100) i;`);
});
afterAll(async () => {
  quick.stop();
  await fixture.stop();
});

const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index }));

/** Runs `work` with a worker and a warm plan; `expectSame` compares with a worker without lanes. */
function withPlan(
  query: string,
  warmData: readonly unknown[],
  work: (given: {
    worker: LaneWorker;
    plan: number;
    expectSame: (asks: readonly Omit<Ask, 'plan'>[]) => Promise<void>;
  }) => Promise<void>,
  changes: Partial<WorkerContext> = {},
  watch = quick,
): Promise<void> {
  return fixture.withWorker(changes, (worker) =>
    fixture.withWorker({ ...changes, lanes: false }, async (apart) => {
      const plan = await worker.prepare(query);
      const apartPlan = await apart.prepare(query);
      await watch.warm(worker, plan, warmData);
      const expectSame = async (asks: readonly Omit<Ask, 'plan'>[]): Promise<void> => {
        const expected = await apart.outcomes(asks.map((each) => ({ ...each, plan: apartPlan })));
        expect(await worker.outcomes(asks.map((each) => ({ ...each, plan })))).toEqual(expected);
        expect(worker.surplus).toBe(0);
      };
      await work({ worker, plan, expectSame });
    }),
  );
}

const forms: readonly RowsForm[] = ['compact', 'pretty', 'lines', 'csv'];
/** Each key in each form; keys come together and apart, and some have no rows. */
const inAllForms = (data: readonly unknown[]): readonly Omit<Ask, 'plan'>[] => [
  ...data.flatMap((each) => forms.map((form) => ({ data: each, form }))),
  ...forms.flatMap((form) => data.map((each) => ({ data: each, form }))),
];

describe('equal and different requests in several forms', () => {
  test.each([
    ['Items.filter(p=>p.id==id)', [...ids(1, 6), { id: 999 }, { id: 3 }]],
    ['Items.filter(p=>p.id>=id&&p.id<=id).map(p=>[p.id,p.code])', [...ids(1, 5), { id: 999 }]],
  ])('that have one row each: %s', (query, data) =>
    withPlan(query, data, async ({ expectSame }) => {
      await expectSame(inAllForms(data));
      expect(quick.count(WrittenBatch)).toBe(1);
      for (const ask of inAllForms(data)) await expectSame([ask]);
    }),
  );

  test.each([
    [
      'Items.filter(p=>p.small==id).sort(p=>p.id).map(p=>[p.id,p.code])',
      [...ids(0, 6), { id: 99 }],
    ],
    ['Items.filter(p=>p.id>id&&p.id<id+3).sort(p=>p.id)', [...ids(1, 6), { id: 999 }]],
  ])('that have several: %s', async (query, data) => {
    quick.stop();
    const kept = watchQuickReads(KeptBatch);
    await withPlan(
      query,
      data,
      async ({ expectSame }) => {
        await expectSame(inAllForms(data));
        expect(kept.count(KeptBatch)).toBe(1);
        for (const ask of inAllForms(data)) await expectSame([ask]);
      },
      {},
      kept,
    ).finally(() => kept.stop());
    quick = watchQuickReads(WrittenBatch);
  });
});

test('a key that suddenly has two rows is answered with both', async () => {
  await fixture.sql("INSERT INTO changing SELECT i, 'n' || i FROM generate_series(1, 40) i");
  const data = ids(1, 40);
  await withPlan('Changing.filter(p=>p.id==id)', data, async ({ worker, expectSame }) => {
    await fixture.sql("INSERT INTO changing VALUES (7, 'n7'), (7, 'n7'), (9, 'n9')");
    const asks = inAllForms(data);
    const { broken } = worker.counters;
    await expectSame(asks);
    expect(quick.count(WrittenBatch)).toBe(1);
    for (let round = 0; round < 4; round += 1) await expectSame(asks);
    expect(quick.count(WrittenBatch)).toBe(1);
    expect(worker.counters.broken).toBe(broken + 1);
  });
});

test('one bad argument is the fault of its request alone', () =>
  withPlan('Items.filter(p=>p.id==id).map(p=>p.code)', ids(1, 40), async ({ expectSame }) => {
    for (const id of ['x', '', '99999999999', 99_999_999_999, '7 ', null, true, [1], { a: 1 }]) {
      await expectSame([...ids(1, 10), { id }, ...ids(1, 3)].map((data) => ({ data })));
      await expectSame([{ data: { id } }]);
    }
    await expectSame([{ data: {} }, { data: '{"id":' }, { data: { id: 4 } }]);
  }));

describe('a request that is alone', () => {
  const query = 'Items.filter(p=>p.id<id).map(p=>p.id)';

  test.each([11, 12, 200])('of rows below %i is answered, or told that they are too many', (id) =>
    withPlan(
      query,
      ids(1, 2),
      async ({ expectSame }) => {
        await expectSame([{ data: { id } }]);
        expect(quick.count(LoneBatch)).toBe(1);
        for (const each of [11, 12, 5, 300]) await expectSame([{ data: { id: each } }]);
      },
      { rowsMax: 10 },
    ),
  );

  test('with more bytes than are kept is streamed', () =>
    withPlan(
      'Heavy.filter(p=>p.id<=id&&p.id>low).sort(p=>p.id)',
      [{ id: 21, low: 20 }],
      async ({ expectSame }) => {
        await expectSame([{ data: { id: 20, low: 0 } }]);
        expect(quick.count(LoneBatch)).toBe(1);
        await expectSame([{ data: { id: 22, low: 20 } }]);
      },
    ));
});

test('a batch with more bytes than are kept is streamed', () =>
  withPlan('Heavy.filter(p=>p.id==id)', ids(21, 100), async ({ expectSame }) => {
    await expectSame(ids(1, 30).map((data) => ({ data })));
    expect(quick.count(WrittenBatch)).toBe(1);
    await expectSame(ids(18, 30).map((data) => ({ data })));
  }));
