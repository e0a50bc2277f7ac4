/**
 * The plans that a worker keeps are limited by their bytes. A plan is available to the requests of the
 * message that brings it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileQuery, createCatalog, loadSchema } from '../../src/engine/index.js';
import { createCipher } from '../../src/workers/cipher/cipher.js';
import { Plans, readyBytes, ReadyPlan } from '../../src/workers/plans.js';
import { type Fixture, startFixture } from './fixture.js';
import { schemaDocument } from './schema-document.js';
import { settings } from './test-worker.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const point = 'Points.filter(p=>p.id==id).map(p=>p.id)';

function planning(plans: number) {
  const catalog = createCatalog(loadSchema(schemaDocument(fixture.connection)));
  const { limits } = settings;
  const request = { expression: point, stage: 'default', view: 'default', limits };
  const plan = compileQuery(catalog, request);
  const cipher = createCipher();
  const kept = new Plans({
    catalog,
    limits,
    cipher,
    plansMax: 1000,
    strictData: false,
    planBytesMax: plans * readyBytes(plan),
  });
  return { kept, plan };
}

test('a worker keeps no more bytes of plans than allowed', () => {
  const { kept, plan } = planning(2);
  for (const planId of [1, 2, 3]) kept.put(planId, plan);
  kept.settle();
  expect([1, 2, 3].map((planId) => kept.get(planId) !== undefined)).toEqual([false, true, true]);
});

test('the variant of a plan for nulls counts as a plan', () => {
  const { kept, plan } = planning(3);
  const asked = Array.from({ length: 20 }, (_, index) => {
    return new ReadyPlan(plan, createCipher(), { planId: index + 1 });
  });
  kept.put(1, plan);
  kept.settle();
  const variants = asked.map((each) => kept.variant(each, ['id']));
  expect(kept.get(1)).toBeUndefined();
  const [first, last] = [asked.at(0), asked.at(-1)];
  expect(last && kept.variant(last, ['id'])).toBe(variants.at(-1));
  expect(first && kept.variant(first, ['id'])).not.toBe(variants[0]);
});

test('requests of a plan are short while those of one of its variants are', () => {
  const { kept, plan } = planning(3);
  const asked = new ReadyPlan(plan, createCipher(), { planId: 1 });
  const variant = kept.variant(asked, ['id']);
  const short = (ready: ReadyPlan, isShort: boolean) => [ready.measured(isShort), asked.isShort];
  expect(short(variant, false)).toEqual([asked, false]);
  expect(short(asked, true)).toEqual([asked, true]);
  expect(short(variant, true)).toEqual([undefined, true]);
  expect(short(asked, false)).toEqual([undefined, true]);
  expect(short(variant, false)).toEqual([asked, false]);
});

test('a variant that is dropped no longer makes the requests of its plan short', () => {
  const { kept, plan } = planning(3);
  kept.put(1, plan);
  const asked = kept.get(1);
  if (!asked) throw new Error('the plan is kept');
  const variant = kept.variant(asked, ['id']);
  expect(variant.measured(true)).toBe(asked);
  for (const planId of [2, 3, 4]) kept.put(planId, plan);
  expect(asked.isShort).toBe(true);
  expect(variant.measured(true)).toBeUndefined();
  expect(asked.measured(false)).toBe(asked);
  expect(asked.isShort).toBe(false);
});

test('a plan that arrives again keeps what was measured of it', () => {
  const { kept, plan } = planning(3);
  kept.put(1, plan);
  const ready = kept.get(1);
  ready?.measured(true);
  kept.settle();
  kept.put(1, plan);
  expect(kept.get(1)).toBe(ready);
  expect(kept.get(1)?.isShort).toBe(true);
});

test('plans that do not fit are available until the requests with them have taken them', () => {
  const { kept, plan } = planning(1);
  for (const planId of [1, 2, 3]) kept.put(planId, plan);
  expect([1, 2, 3].map((planId) => kept.get(planId)?.plan)).toEqual([plan, plan, plan]);
  kept.settle();
  expect(kept.get(1)).toBeUndefined();
});

test('a worker without room for any plan still answers', () =>
  fixture.withWorker({ planBytesMax: 1 }, async (gateway) => {
    expect(await gateway.rows(point, { id: 1 })).toEqual([{ id: 1 }]);
    expect(
      await gateway.answers([
        [point, { id: 1 }],
        ['Points.filter(p=>p.id==id).map(p=>({n: p.id}))', { id: 2 }],
      ]),
    ).toEqual([[{ id: 1 }], [{ n: 2 }]]);
  }));
