/** Calls in the listeners of lambdaorm's schema files that have no effect in Rowgate. */
import { expect, test } from 'vitest';
import { idleSteps, loadSchema } from '../../../src/engine/index.js';
import { createLogger } from '../../../src/gateway/logger.js';
import { lambdaormDocument } from './lambdaorm-file.js';

const steps = idleSteps(loadSchema(lambdaormDocument()));

test('listener steps that have no effect are reported', () => {
  expect(steps).toEqual([
    { listener: 'send', phase: 'after', call: 'queue.send' },
    { listener: 'log', phase: 'before', call: 'console.log' },
  ]);
});

test('each of these steps is logged as a warning', () => {
  const lines: string[] = [];
  const { observe } = createLogger({
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  for (const step of steps) observe({ kind: 'listener-idle', ...step });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, event: 'listener-idle', listener: 'send', phase: 'after', call: 'queue.send' },
    { level: 40, event: 'listener-idle', listener: 'log', phase: 'before', call: 'console.log' },
  ]);
});

test.each(['console(query)', 'sendMessage("sync", [{query: query}])'])(
  'the function of older versions in %s has no effect either',
  (step) => {
    const domain = { entities: [{ name: 'A', properties: [{ name: 'x' }] }] };
    const listeners = [{ name: 'old', on: ['select'], before: step }];
    const [call] = step.split('(');
    expect(idleSteps(loadSchema({ domain, application: { listeners } }))).toEqual([
      { listener: 'old', phase: 'before', call },
    ]);
  },
);
