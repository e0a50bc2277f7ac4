/** A plan that has left the plan cache is not remembered after its last request. */
import { expect, test } from 'vitest';
import type { AnswerSink } from '../../src/gateway/dispatcher/sinks.js';
import type { PlanEntry } from '../../src/gateway/plan-cache.js';
import { startDispatcher } from './start-dispatcher.js';

type Send = (sink: AnswerSink) => unknown;

const entryOf = (isEvicted: boolean): PlanEntry => {
  // Nothing else of a plan is used.
  return { planId: 1, plan: { root: {} }, isEvicted } as unknown as PlanEntry;
};

const answerOf = (send: Send) =>
  new Promise<unknown>((resolve, reject) => {
    send({
      whole: (bytes) => resolve(JSON.parse(Buffer.from(bytes).toString())),
      part: () => reject(new Error('a part')),
      failed: ({ problem }) => reject(new Error(problem.detail)),
    });
  });

test.each([false, true])('after an execution (evicted: %s)', async (isEvicted) => {
  const dispatcher = startDispatcher('fake-worker.mjs', 1);
  const execution = { entry: entryOf(isEvicted), data: undefined, form: 'compact' } as const;
  const send: Send = (sink) => dispatcher.execute(execution, sink);
  expect(await answerOf(send)).toMatchObject({ planSent: true });
  expect(await answerOf(send)).toMatchObject({ planSent: isEvicted });
});

test.each([false, true])('after a transaction (evicted: %s)', async (isEvicted) => {
  const dispatcher = startDispatcher('fake-worker.mjs', 1);
  const steps = [{ entry: entryOf(isEvicted), data: undefined }];
  const transaction = { steps, readOnly: true, isSingle: false, form: 'compact' } as const;
  const send: Send = (sink) => dispatcher.transact(transaction, sink);
  expect(await answerOf(send)).toMatchObject({ steps: [{ planSent: true }] });
  expect(await answerOf(send)).toMatchObject({ steps: [{ planSent: isEvicted }] });
});
