/** How the threads of workers are started again. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import { readConfiguration } from '../../src/gateway/config.js';
import type { WorkerLink } from '../../src/gateway/dispatcher/worker-link.js';
import { WorkerPool } from '../../src/gateway/dispatcher/worker-pool.js';
import type { Observation } from '../../src/gateway/observe.js';
import { workerContext } from '../../src/gateway/service.js';
import { sampleSchema } from './sample-schema.js';
import { FAKE_WORKER } from './start.js';

const configuration = readConfiguration({ argv: [], environment: {}, host: { cores: 2 } });
const workingContext = workerContext(configuration, loadSchema(sampleSchema));

/** Starts a pool with one worker. */
function startPool(context = workingContext) {
  const links: WorkerLink[] = [];
  const causes: unknown[] = [];
  const observe = (observation: Observation) => {
    if (observation.kind === 'worker-lost') causes.push(observation.cause);
  };
  const options = { workerUrl: FAKE_WORKER, workers: 1, context, observe, heapMebibytesMax: 100 };
  const pool = new WorkerPool(options, {
    attached: (link) => links.push(link),
    replied: () => undefined,
    lost: () => true,
  });
  onTestFinished(async () => {
    await pool.finish(0);
    await pool.end();
  });
  const start = async (times: number): Promise<WorkerLink> => {
    await vi.waitFor(() => expect(links).toHaveLength(times), 30_000);
    const link = links[times - 1];
    link?.post({ type: 'hello' });
    await vi.waitFor(() => expect(link?.hasStarted).toBe(true), 30_000);
    return link as WorkerLink;
  };
  return { start, links, causes };
}

it('a thread uses the memory of one that has ended', async () => {
  const { start, links } = startPool();
  for (const times of [1, 2, 3]) (await start(times)).end(new Error('told to end'));
  await start(4);
  expect(new Set(links.map(({ answers }) => answers.buffer)).size).toBe(1);
});

it('a thread that cannot be created is tried again', async () => {
  let reads = 0;
  const { start, causes } = startPool({
    ...workingContext,
    get slowMs() {
      reads += 1;
      if (reads === 2) throw new Error('no thread now');
      return 0;
    },
  });
  const first = await start(1);
  first.post({ type: 'import', id: 1, stage: 'default', view: 'default', strict: false });
  first.post({ type: 'chunk', id: 1, bytes: new Uint8Array(Buffer.from('crash')), last: true });
  await start(3);
  expect(causes).toEqual([
    expect.any(Error),
    expect.objectContaining({ message: 'no thread now' }),
  ]);
});
