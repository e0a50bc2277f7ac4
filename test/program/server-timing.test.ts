/** The `Server-Timing` header: where the time of a request went. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { type Answer, ask, post, type Program, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

let server: SampleServer;

beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

/** The milliseconds of each part, in the order of the header. */
function timingOf({ headers }: Answer): ReadonlyMap<string, number> {
  const parts = (headers.get('server-timing') ?? '').split(', ').filter((part) => part !== '');
  return new Map(
    parts.map((part) => {
      const [, name = '', ms] = /^(\w+);dur=(\d+\.\d+)$/.exec(part) ?? [];
      return [name, Number(ms)];
    }),
  );
}

describeServers('the times of a request on %s', (http) => {
  const programs: Program[] = [];

  async function start(...flags: readonly string[]): Promise<Program> {
    const program = await server.start(['--http-server', http, ...flags]);
    programs.push(program);
    await until('it is ready', async () => (await ask(program, '/readyz')).status === 200);
    return program;
  }
  afterAll(() => Promise.all(programs.map((program) => program.stop())));

  const point = { query: 'Products.filter(p=>p.id==id).map(p=>p.name)', data: { id: 1 } };
  const all = ['parse', 'plan', 'queue', 'db', 'total'];

  test('are in the answer if the request asks for them', async () => {
    const program = await start();
    for (const { path, body, parts } of [
      // The first run of a plan, and later ones on a shared connection.
      ...Array.from({ length: 5 }, () => ({ path: '/execute', body: point, parts: all })),
      { path: '/execute', body: { ...point, options: { count: true } }, parts: all },
      { path: '/execute', body: { query: 'Orders.details' }, parts: all },
      { path: '/execute', body: { query: 'Orders.include(p=>p.details)' }, parts: all },
      { path: '/plan', body: point, parts: ['parse', 'plan', 'total'] },
      {
        path: '/transaction',
        body: [point],
        parts: ['parse', 'plan', 'db', 'total'],
      },
      {
        path: '/execute',
        body: { query: 'Shippers.filter(p=>p.id==1).update({phone: "1"})' },
        parts: ['parse', 'plan', 'db', 'total'],
      },
      { path: '/execute', body: { query: 'Nothing' }, parts: ['parse', 'total'] },
    ]) {
      const timing = timingOf(await post(program, `${path}?timing=true`, body));
      expect([body, ...timing.keys()]).toEqual([body, ...parts]);
      const { total = 0, ...others } = Object.fromEntries(timing);
      const sum = Object.values(others).reduce((ms, each) => ms + each, 0);
      expect(sum).toBeLessThanOrEqual(total + 0.01);
    }
    expect(timingOf(await post(program, '/execute', point)).size).toBe(0);
  });

  test('are in every answer, or in none, if that is configured', async () => {
    const on = await start('--server-timing', 'on');
    expect([...timingOf(await post(on, '/execute', point)).keys()]).toEqual(all);
    expect([...timingOf(await ask(on, '/ping')).keys()]).toEqual(['total']);
    const off = await start('--server-timing', 'off');
    expect(timingOf(await post(off, '/execute?timing=true', point)).size).toBe(0);
  });
});
