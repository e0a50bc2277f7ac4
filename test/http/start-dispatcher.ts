/** Starts a dispatcher without a gateway, and ends it after the test. */
import { onTestFinished } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import { readConfiguration } from '../../src/gateway/config.js';
import { Dispatcher } from '../../src/gateway/dispatcher/dispatcher.js';
import { workerContext } from '../../src/gateway/service.js';
import { Dispatchers } from '../../src/gateway/dispatcher/dispatchers.js';
import type { PlanRecorder } from '../../src/gateway/statistics/plan-recorder.js';
import { sampleSchema } from './sample-schema.js';

// Nothing else of a recorder is used.
const recorder = { ended: () => undefined, add: () => undefined } as unknown as PlanRecorder;

/** `workerFile`: the name of a module of this folder. */
export function startDispatcher(workerFile: string, workers: number): Dispatcher {
  const configuration = readConfiguration({ argv: [], environment: {}, host: { cores: 2 } });
  const dispatcher = new Dispatcher({
    recorder,
    dispatchers: new Dispatchers(),
    workerUrl: new URL(workerFile, import.meta.url),
    workers,
    context: workerContext(configuration, loadSchema(sampleSchema)),
    observe: () => undefined,
    queueMax: 1000,
    importWindowBytes: 1000,
    heapMebibytesMax: 100,
    workerStallMs: 60_000,
    requestMsMax: 0,
  });
  onTestFinished(() => dispatcher.close(0));
  return dispatcher;
}
