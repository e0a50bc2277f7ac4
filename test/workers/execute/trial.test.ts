import { expect, test } from 'vitest';
import { createCancellation } from '../../../src/workers/cancellation.js';
import { Trial } from '../../../src/workers/execute/trial.js';

test('a trial that ends although it was told to stop is not run again', async () => {
  const trial = new Trial(() => undefined);
  const answer = { hasLeft: false, restarts: 0, restart: () => void (answer.restarts += 1) };
  const request = { cancellation: createCancellation(), answer, startedAt: undefined };
  let runs = 0;
  const execute = async (): Promise<void> => {
    runs += 1;
    trial.stop();
  };
  await trial.run(execute, request);
  expect([runs, answer.restarts, trial.isWaiting]).toEqual([1, 0, false]);
});
