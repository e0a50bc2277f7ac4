/** Queries that differ only by literals share a plan, and their literals go with the data. */
import { describe, expect, test } from 'vitest';
import { compileQuery, createCatalog, EngineError, loadSchema } from '../../src/engine/index.js';
import type { ErrorCode } from '../../src/gateway/errors.js';
import { PlanCache, planKeyOf, totalKeyOf } from '../../src/gateway/plan-cache.js';
import type { QueryRequest } from '../../src/gateway/query-request.js';
import { northwindDocument } from '../engine/schema/northwind.js';
import { SharedPlans } from '../../src/gateway/shared-plans.js';
import { PlanRecord } from '../../src/gateway/statistics/plan-statistics.js';
import { createTotals } from '../../src/gateway/statistics/totals.js';

/** What is executed for a request: the expression of the plan, and the data. */
interface Executed {
  readonly expression: string;
  readonly data: QueryRequest['data'];
}

function createPlans(shareFrom: number, { entriesMax = 100, dialect = 'PostgreSQL' } = {}) {
  const text = JSON.stringify(northwindDocument({ DATABASE_URL: '' }));
  const document: unknown = JSON.parse(text.replace('"PostgreSQL"', `"${dialect}"`));
  const catalog = createCatalog(loadSchema(document));
  const compiled: string[] = [];
  /** Why nothing is compiled for the moment. */
  let busy: ErrorCode | undefined;
  const plans = new PlanCache({
    entriesMax,
    bytesMax: 1 << 24,
    waitersMax: 100,
    totals: createTotals().plans,
    compile: ({ expression, stage, view, isTotal }, sink) => {
      if (busy !== undefined) return sink.failed({ problem: { code: busy, detail: '' } });
      compiled.push(expression);
      try {
        const total = isTotal && { isTotal };
        sink.compiled(compileQuery(catalog, { expression, stage, view, ...total }));
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        sink.failed({ problem: { code: error.code, detail: error.message } });
      }
    },
    recordOf: (key) => new PlanRecord(key),
    onEvicted: () => undefined,
  });
  const shared = new SharedPlans(plans, shareFrom);
  const run = (expression: string, data?: QueryRequest['data'], isTotal = false) => {
    const key = planKeyOf(expression, 'default', 'default');
    const request = { key, data, ...(isTotal && { total: totalKeyOf(key) }) };
    const own = plans.find(key);
    const known = own ? { entry: own, request } : shared.find(request);
    let executed: Executed | string = 'no answer';
    const planned = (found: { readonly expression: string }, { data: sent }: QueryRequest) => {
      executed = { expression: found.expression, data: sent };
    };
    if (known) planned(known.entry.plan, known.request);
    else {
      shared.obtain(request, {
        planned: ({ plan }, sent) => planned(plan, sent),
        failed: ({ problem }) => {
          executed = problem.code;
        },
      });
    }
    return executed as Executed | string;
  };
  const setBusy = (code: ErrorCode | undefined): void => {
    busy = code;
  };
  return { run, compiled, setBusy };
}

const byId = (id: number | string) => `Orders.filter(p=>p.id==${id})`;

describe('queries that differ only by literals', () => {
  test('have plans of their own until there are many', () => {
    const { run, compiled } = createPlans(3);
    expect(run(byId(1))).toEqual({ expression: byId(1), data: undefined });
    expect(run(byId(2))).toEqual({ expression: byId(2), data: undefined });
    expect(run(byId(3))).toEqual({ expression: byId('$1'), data: '{"$1":3}' });
    expect(run(byId(4))).toEqual({ expression: byId('$1'), data: '{"$1":4}' });
    expect(run(byId(4))).toEqual({ expression: byId('$1'), data: '{"$1":4}' });
    expect(run(byId(1))).toEqual({ expression: byId(1), data: undefined });
    expect(compiled).toEqual([byId(1), byId(2), byId('$1')]);
  });

  test('add their literals to the data, in the order of the parameters', () => {
    const { run } = createPlans(1);
    const last = 'Orders.filter(p=>p.id==c && p.freight<7)';
    expect(run(last, '{"c":5}')).toMatchObject({ data: '{"c":5,"$1":7}' });
    const first = 'Orders.filter(p=>p.freight<7 && p.id==c)';
    expect(run(first, '{"c":5}')).toMatchObject({ data: '{"$1":7,"c":5}' });
    expect(run(byId(5), '{ }')).toMatchObject({ data: '{"$1":5}' });
    expect(run(byId(5), '{"unused":1}')).toMatchObject({ data: '{"$1":5,"unused":1}' });
  });

  test('keep data malformed that is malformed', () => {
    const { run } = createPlans(1);
    for (const data of ['{"a":1}{}', '{"a":1,}', '{,}', '{\u00a0}', '{"a"}']) {
      const { data: sent } = run(byId(5), data) as Executed;
      expect(() => JSON.parse(String(sent))).toThrow();
    }
  });

  test('have plans of their own if nothing can be added to the data', () => {
    const { run } = createPlans(1);
    for (const data of ['', '[]', '{', 'null', new Uint8Array([123, 125])]) {
      expect(run(byId(5), data)).toEqual({ expression: byId(5), data });
    }
  });

  test('have plans of their own if the data may have a member with the name of a literal', () => {
    const { run } = createPlans(1);
    for (const data of ['{"$1":6}', '{"a":1, "$1":6}', String.raw`{"\u00241":6}`]) {
      const query = byId(data.length);
      expect(run(query)).toMatchObject({ expression: byId('$1') });
      expect(run(query, data)).toEqual({ expression: query, data });
    }
  });

  test('have plans of their own if all rows are counted', () => {
    const { run } = createPlans(1);
    expect(run(byId(5), undefined, true)).toEqual({ expression: byId(5), data: undefined });
  });

  test('never share when that is turned off', () => {
    const { run, compiled } = createPlans(0);
    for (let id = 1; id <= 50; id += 1) run(byId(id));
    expect(compiled).toHaveLength(50);
  });

  test.each(['queue-full', 'worker-lost', 'draining'] as const)(
    'share a plan that could not be compiled for the moment: %s',
    (code) => {
      const { run, setBusy } = createPlans(1);
      setBusy(code);
      expect(run(byId(1))).toBe(code);
      setBusy(undefined);
      expect(run(byId(1))).toEqual({ expression: byId('$1'), data: '{"$1":1}' });
    },
  );

  test('compile the shared plan again when it has left the cache', () => {
    const { run, compiled } = createPlans(1, { entriesMax: 1 });
    run(byId(5));
    run('Orders.take(1)');
    expect(run(byId(5))).toEqual({ expression: byId('$1'), data: '{"$1":5}' });
    expect(compiled).toEqual([byId('$1'), 'Orders.take(1)', byId('$1')]);
  });
});

describe('a query keeps its own plan if its literals', () => {
  test.each([
    ['are of another type', "Orders.filter(p=>p.id=='x')", 'type-mismatch'],
    ['are no dates', "Orders.filter(p=>p.orderDate<'1996-13-01')", 'type-mismatch'],
    ['meet a date', "Orders.filter(p=>p.orderDate==x || x<'1997-01-01')", 'type-mismatch'],
    ['are compared with an unknown property', 'Orders.filter(p=>p.none==5)', 'unknown-property'],
  ])('%s, and fails', (_, expression, code) => {
    const { run } = createPlans(1);
    expect(run(expression)).toBe(code);
    expect(run(expression)).toBe(code);
  });

  test.each([
    'Orders.filter(p=>x==5 && p.freight==x)',
    'Orders.filter(p=>(x ?? y)==5 && p.freight==x && p.id==id)',
    'Orders.filter(p=>p.id==5).delete()',
    'Orders.filter(p=>p.id==5).update({freight:1})',
    'Orders.filter(p=>p.id>5).sort(p=>p.id).after(c).take(3)',
  ])('belong to %s', (expression) => {
    const { run } = createPlans(1);
    const executed = run(expression);
    if (typeof executed === 'string') throw new Error(executed);
    expect(executed.expression).toBe(expression);
  });
});

const BY_KEY = [
  'Orders.filter(p=>5==id && p.id==5)',
  'Orders.filter(p=>p.freight<7 && (p.id==id && p.shipViaId!=2)).map(p=>p.id)',
  'Orders.filter(p=>in(p.id,[5,6]))',
  'Orders.details.filter(p=>p.orderId==5 && p.productId==6)',
  'Orders.filter(p=>p.id==id).include(p=>p.details.filter(d=>d.quantity>3))',
  'Orders.filter(p=>p.id==id && (p.freight ?? x)>5)',
];

const NOT_BY_KEY = [
  'Orders.filter(p=>p.freight<7)',
  'Orders.filter(p=>p.id==5 || p.freight<7)',
  'Orders.filter(p=>p.id<5)',
  'Orders.filter(p=>in(p.shipViaId,[5,6]))',
  'Orders.details.filter(p=>p.orderId==5)',
  'Orders.filter(p=>p.customer.id==id && p.shipViaId==5)',
];

describe('a database that may keep a plan for other values', () => {
  test.each(BY_KEY)('shares the plan of %s', (expression) => {
    expect(createPlans(1).run(expression)).not.toMatchObject({ expression });
  });

  test.each(NOT_BY_KEY)('has a plan for %s alone', (expression) => {
    expect(createPlans(1).run(expression)).toMatchObject({ expression });
  });
});

test.each(NOT_BY_KEY)('MariaDB, which keeps none, shares the plan of %s', (expression) => {
  expect(createPlans(1, { dialect: 'MariaDB' }).run(expression)).not.toMatchObject({ expression });
});
