/** `GET /stats` and `/metrics` of the whole program, on both HTTP servers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { ask, post, type Program, rowsOf, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { metricsOf, planOf, type Stats, statsOf } from './statistics.js';

let server: SampleServer;

beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

describeServers('the statistics on %s', (http) => {
  let program: Program;

  beforeAll(async () => {
    const flags = ['--http-server', http, '--stats-plans', '10', '--latency-buckets', '1,1000'];
    program = await server.start(flags);
    await until('it is ready', async () => (await ask(program, '/readyz')).status === 200);
  });
  afterAll(() => program.stop());

  const expectedOf = (expression: string, numbers: object) => ({
    expression,
    stage: 'default',
    view: 'default',
    errors: 0,
    cancelled: 0,
    ...numbers,
  });

  test('count the calls, the rows and the times of each plan', async () => {
    const query = `Products.filter(p=>p.id<=n).map(p=>p.id)`;
    for (const n of [1, 2, 3]) await rowsOf(program, query, { n });
    const plan = planOf(await statsOf(program), query);
    expect(plan).toMatchObject(expectedOf(query, { calls: 3, rows: 6, batchSize: 1 }));
    expect(plan.maxMs).toBeGreaterThan(0);
    expect(plan.totalMs).toBeGreaterThanOrEqual(plan.maxMs);
    expect(plan.meanMs).toBeCloseTo(plan.totalMs / 3, 2);
    expect(plan.p99Ms).toBeLessThanOrEqual(plan.maxMs);
    expect(plan.databaseMs).toBeGreaterThan(0);
    expect(plan.databaseMs).toBeLessThan(plan.totalMs);
  });

  test.each([
    ['Orders.filter(p=>p.id<=2).include(p=>p.details)', undefined, 2],
    ['Orders.details.map(p=>p.quantity).sort(p=>p.quantity)', undefined, 2400],
    ['Shippers.filter(p=>p.id<=2).update({phone: "0"})', undefined, 2],
  ])('count the rows of %s', async (query, data, rows) => {
    await rowsOf(program, query, data);
    const plan = planOf(await statsOf(program), query);
    expect(plan).toMatchObject(expectedOf(query, { calls: 1 }));
    expect(plan.rows).toBeGreaterThanOrEqual(rows);
  });

  test('count each step of a transaction for its own plan', async () => {
    const [one, other] = ['Products.count()', 'Categories.first(p=>p.name)'];
    await post(program, '/transaction', [{ query: one }, { query: other }]);
    const stats = await statsOf(program);
    expect(planOf(stats, one)).toMatchObject(expectedOf(one, { calls: 1, rows: 1 }));
    expect(planOf(stats, other)).toMatchObject(expectedOf(other, { calls: 1, rows: 1 }));
  });

  test('count requests by their latency, without those of monitoring', async () => {
    const countOf = ({ requests: { latency } }: Stats) => latency.counts.reduce((a, b) => a + b);
    const before = await statsOf(program);
    await ask(program, '/readyz');
    await rowsOf(program, 'Shippers.count()');
    const after = await statsOf(program);
    expect(after.requests.latency).toMatchObject({ boundsMs: [1, 1000], counts: { length: 3 } });
    expect(countOf(after) - countOf(before)).toBe(1);
  });

  test('count failed and refused requests by error code', async () => {
    const query = 'Products.filter(p=>p.id==1).map(p=>({r: p.id/n}))';
    await post(program, '/execute', { query, data: { n: 'no number' } });
    await post(program, '/execute', { query: 'Nothing' });
    await ask(program, '/nope');
    const stats = await statsOf(program);
    expect(planOf(stats, query)).toMatchObject({ calls: 1, errors: 1 });
    const errors = { 'parameter-type': 1, 'unknown-entity': 1, 'not-found': 1 };
    expect(stats.requests.errors).toMatchObject(errors);
    const metrics = await metricsOf(program);
    for (const code of Object.keys(errors)) {
      expect(metrics).toContain(`rowgate_errors_total{code="${code}"} 1`);
    }
    expect(metrics).toContain('rowgate_requests_total{method="any",route="none",status="404"} 1');
  });

  test('can be sorted and limited', async () => {
    const stats = await statsOf(program, '?sort=rows&limit=2');
    const [first, second] = stats.plans;
    expect(stats.plans).toHaveLength(2);
    expect(first?.rows).toBeGreaterThanOrEqual(second?.rows ?? Infinity);
    const unknown = await ask(program, '/stats?sort=call');
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining("mean 'calls'")]);
    expect((await ask(program, '/stats?limit=-1')).status).toBe(400);
  });

  test('keep the plans that ran most recently, and count the dropped ones', async () => {
    const query = (n: number) => `Products.filter(p=>p.id==${n}+id).count()`;
    for (let n = 0; n < 25; n += 1) await rowsOf(program, query(n), { id: 1 });
    const stats = await statsOf(program, '?limit=100');
    expect(stats.planCount).toBeLessThanOrEqual(10);
    expect(stats.plansDropped).toBeGreaterThan(10);
    expect(planOf(stats, query(24)).calls).toBe(1);
    expect(stats.plans.find(({ expression }) => expression === query(0))).toBeUndefined();
    // A dropped plan that is still in the plan cache is counted again when it runs.
    await rowsOf(program, query(0), { id: 1 });
    expect(planOf(await statsOf(program, '?limit=100'), query(0)).calls).toBe(1);
  });

  test('show the sources with their connections, and the plan cache', async () => {
    const ready = await until('the source has been checked', async () => {
      const stats = await statsOf(program);
      return stats.sources.some(({ state }) => state === 'ready') ? stats : undefined;
    });
    expect(ready?.sources).toMatchObject([{ name: 'default', dialect: 'PostgreSQL' }]);
    expect(ready?.sources[0]?.pool).toMatchObject({ max: 16, waiting: 0 });
    expect(ready?.caches.plans).toMatchObject({
      entries: expect.any(Number),
      misses: expect.any(Number),
    });
  });

  test('are empty after a reset', async () => {
    const before: Stats = await statsOf(program);
    const reset = await ask(program, '/stats', { method: 'DELETE' });
    expect([reset.status, reset.text]).toEqual([204, '']);
    const after = await statsOf(program);
    expect(after.plans).toEqual([]);
    expect(Date.parse(after.since)).toBeGreaterThan(Date.parse(before.since));
  });

  test('count the latencies of each route in the configured buckets', async () => {
    await rowsOf(program, 'Products.count()');
    const metrics = await metricsOf(program);
    const bounds = [
      ...metrics.matchAll(/_bucket\{method="POST",route="\/execute",le="([^"]+)"\}/g),
    ];
    expect(bounds.map(([, bound]) => bound)).toEqual(['0.001', '1', '+Inf']);
  });
});
