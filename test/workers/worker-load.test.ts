import { cpus } from 'node:os';
import { expect, test } from 'vitest';
import { loadOf, readUse, sharesOf } from '../../src/workers/worker-load.js';

test('busy connections are a load only while processors are idle', () => {
  expect(loadOf({ thread: 0.3, connections: 2, idle: 0.5 })).toBe(2);
  expect(loadOf({ thread: 0.3, connections: 2, idle: 0.1 })).toBe(0.3);
  expect(loadOf({ thread: 0.9, connections: 0.2, idle: 1 })).toBe(0.9);
});

test('a busy thread is seen, and its processor is not idle', () => {
  const before = readUse();
  const end = performance.now() + 500;
  while (performance.now() < end);
  const { thread, idle } = sharesOf(before, readUse());
  // Others may take a part of the processor from this thread.
  expect(thread).toBeGreaterThan(0.1);
  expect(idle).toBeLessThan(1 - 0.5 / cpus().length);
});
