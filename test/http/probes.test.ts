/** Which worker asks the databases how they are. */
import { expect, test } from 'vitest';
import type { Dispatcher } from '../../src/gateway/dispatcher/dispatcher.js';
import { startDispatcher } from './start-dispatcher.js';

test('a worker that has started, even if one that has not has fewer requests', async () => {
  const dispatcher = startDispatcher('late-worker.mjs', 2);
  // One of them is answered, by whichever worker has started.
  await Promise.race([probe(dispatcher), probe(dispatcher)]);
  const compile = {
    type: 'compile',
    expression: 'Orders',
    stage: 'default',
    view: 'default',
  } as const;
  const ignored = { compiled: () => undefined, failed: () => undefined };
  for (let times = 0; times < 6; times += 1) {
    dispatcher.ask(compile, ignored);
    expect(await probe(dispatcher)).toBe(true);
  }
});

function probe(dispatcher: Dispatcher): Promise<boolean> {
  return new Promise((resolve) => {
    dispatcher.ask(
      { type: 'probe' },
      { probed: (ok) => resolve(ok), failed: () => resolve(false) },
    );
  });
}
