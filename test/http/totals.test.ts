/** What `/metrics` and `/stats` count since the start. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import { describeServers } from '../support/http-servers.js';
import { sampleSchema } from './sample-schema.js';
import { postJson, type StartedGateway, startOnFakeWorker } from './start.js';
import { until } from './until.js';

const MIB = 1 << 20;

describeServers('the totals of a gateway on %s', (server) => {
  let started: StartedGateway;
  beforeEach(async () => {
    started = await startOnFakeWorker(server);
  });
  afterEach(() => started.gateway.close());

  const execute = (data: object) =>
    postJson(`${started.base}/execute`, { query: 'Orders', data }).then((answer) => answer.text());
  const metrics = async () => {
    const text = await (await fetch(`${started.base}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith('rowgate_'));
    return new Map(
      lines.map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at))];
      }),
    );
  };
  const single = async () => (await metrics()).get('rowgate_single_requests_total');
  const workers = () => started.gateway.counters().dispatcher.workers;

  it('keep what a worker has counted that is busy, or has ended', async () => {
    await execute({});
    await execute({});
    expect(await single()).toBe(2);
    await execute({ crash: true });
    await until(() => workers() === 1);
    expect(await single()).toBe(2);
    await execute({});
    expect(await single()).toBe(3);
    await execute({ mute: true });
    expect(await single()).toBe(3);
    await execute({});
    expect(await single()).toBe(5);
  });

  it('do not decrease when the schema is reloaded', async () => {
    for (let times = 0; times < 3; times += 1) await execute({});
    await single();
    await execute({ crash: true });
    await until(() => workers() === 1);
    await execute({});
    const before = await metrics();
    await execute({});
    await started.gateway.reload(loadSchema(sampleSchema));
    await until(() => workers() === 1);
    const after = await metrics();
    const decreased = [...before].filter(([name, value]) => {
      return name.includes('_total') && (after.get(name) ?? 0) < value;
    });
    expect(decreased).toEqual([]);
    expect(after.get('rowgate_single_requests_total')).toBe(5);
    const stats: unknown = await (await fetch(`${started.base}/stats`)).json();
    expect(stats).toMatchObject({ batches: { single: 5 }, workers: { running: 1, lost: 1 } });
    expect(Reflect.get(Object(stats), 'caches')).toMatchObject({ plans: { hits: 5 } });
  });

  it('include the worker for large bodies', async () => {
    expect((await metrics()).get('rowgate_workers')).toBe(1);
    await execute({ text: 'x'.repeat(2 * MIB) });
    expect((await metrics()).get('rowgate_workers')).toBe(2);
  });
});
