import { describe, expect, it, vi } from 'vitest';
import { type PlanEntry, planKeyOf } from '../../src/gateway/plan-cache.js';
import { BodyRoom } from '../../src/gateway/body-room.js';
import { readConfiguration } from '../../src/gateway/config.js';
import { Dispatchers } from '../../src/gateway/dispatcher/dispatchers.js';
import type { Failure } from '../../src/gateway/dispatcher/sinks.js';
import type { Observation } from '../../src/gateway/observe.js';
import { PlanStatistics } from '../../src/gateway/statistics/plan-statistics.js';
import { Traffic } from '../../src/gateway/statistics/traffic.js';
import { StreamMemory } from '../../src/gateway/stream-memory.js';
import { createService } from '../../src/gateway/service.js';
import { sampleSchema } from './sample-schema.js';
import { FAKE_WORKER } from './start.js';
import { loadSchema } from '../../src/engine/index.js';

function startService(workerUrl: URL, workers: number) {
  const observations: Observation[] = [];
  const options = {
    configuration: readConfiguration({
      argv: ['--workers', String(workers)],
      environment: {},
      host: { cores: 2 },
    }),
    schema: loadSchema(sampleSchema),
    workerUrl,
    version: '0',
    observer: {
      observe: (observation: Observation) => observations.push(observation),
      observesRequests: false,
    },
  };
  const service = createService(options, {
    room: new BodyRoom(1, 1),
    streams: new StreamMemory(1, 1),
    isDraining: () => false,
    isRefusing: () => false,
    addressOf: () => '',
    traffic: new Traffic([]),
    statistics: new PlanStatistics(10),
    dispatchers: new Dispatchers(),
  });
  return { service, observations };
}

describe('the workers', () => {
  it('are restarted after longer and longer pauses if they do not even load', async () => {
    const { service, observations } = startService(
      new URL('./broken-worker.mjs', import.meta.url),
      1,
    );
    const lost = () => observations.filter(({ kind }) => kind === 'worker-lost');
    await vi.waitFor(() => expect(lost().length).toBe(3), 30_000);
    expect(lost()).toMatchObject([{ retryMs: 100 }, { retryMs: 200 }, { retryMs: 400 }]);
    await service.dispatcher.close(100);
  });

  it('answer as soon as they load, and requests are refused before', async () => {
    const { service } = startService(new URL('./loading-worker.mjs', import.meta.url), 1);
    const { dispatcher } = service;
    const probe = () =>
      new Promise<string>((resolve) => {
        const failed = ({ problem }: Failure) => resolve(problem.code);
        dispatcher.ask({ type: 'probe' }, { probed: () => resolve('probed'), failed });
      });
    const answers = new Set<string>();
    await vi.waitFor(async () => expect(answers.add(await probe())).toContain('probed'), 30_000);
    expect([...answers]).toEqual(['worker-lost', 'probed']);
    await dispatcher.close(100);
  });

  it('share the load of long plans, and a plan stays on its worker while that is not much busier', async () => {
    const { service } = startService(FAKE_WORKER, 2);
    const { dispatcher, plans } = service;
    const run = (expression: string, data: string) =>
      new Promise<unknown>((resolve, reject) => {
        plans.obtain(planKeyOf(expression, 'default', 'default'), {
          failed: reject,
          planned: (entry) => {
            const sink = {
              whole: (bytes: Uint8Array) => resolve(JSON.parse(Buffer.from(bytes).toString())),
              part: () => {},
              failed: ({ problem }: Failure) => reject(new Error(problem.code)),
            };
            dispatcher.execute({ entry, data, form: 'compact' }, sink);
          },
        });
      });
    await run('a', '{}');
    expect(await run('a', '{}')).toMatchObject({ planSent: false });
    const sentAmong40 = async () => {
      const many = await Promise.all(Array.from({ length: 40 }, () => run('a', '{}')));
      return many.filter((answer) => Reflect.get(Object(answer), 'planSent') === true).length;
    };
    expect(await sentAmong40()).toBe(0);
    await run('a', '{"long":true}');
    expect(await sentAmong40()).toBe(1);
    await dispatcher.close(1000);
  });

  it('never run requests that were cancelled in the iteration in which they were sent', async () => {
    const { service } = startService(FAKE_WORKER, 1);
    const { dispatcher, plans } = service;
    const entry = await new Promise<PlanEntry>((planned, failed) => {
      plans.obtain(planKeyOf('a', 'default', 'default'), { planned, failed });
    });
    const start = (data: string, whole: (bytes: Uint8Array) => void = () => undefined) => {
      const sink = { whole, part: () => undefined, failed: () => undefined };
      return dispatcher.execute({ entry, data, form: 'compact' }, sink);
    };
    // An idle worker gets its request at once; the following requests wait for the end of the turn.
    const first = start('{"never":true}');
    const [second, third] = [start('{"stream":500000000}'), start('{"stream":500000000}')];
    dispatcher.cancel(second);
    const answer = await new Promise<unknown>((resolve) => {
      start('{}', (bytes) => resolve(JSON.parse(Buffer.from(bytes).toString())));
    });
    expect(answer).toMatchObject({ streaming: [third] });
    for (const id of [first, third]) dispatcher.cancel(id);
    await dispatcher.close(1000);
  });

  it('answer nothing after they were closed', async () => {
    const { service } = startService(FAKE_WORKER, 1);
    await service.dispatcher.close(1000);
    const failed = await new Promise<Failure>((resolve) => {
      service.dispatcher.ask({ type: 'probe' }, { probed: () => {}, failed: resolve });
    });
    expect(failed.problem.code).toBe('draining');
  });
});
