/** The fake worker, which does not load at its first two starts. */
import { workerData } from 'node:worker_threads';

export { default } from './fake-worker.mjs';

if (Atomics.add(new Int32Array(workerData.shortActivity), 0, 1) < 2)
  throw new Error('this worker does not load yet');
