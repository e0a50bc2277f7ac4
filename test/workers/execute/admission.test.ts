import { expect, test } from 'vitest';
import { Admission } from '../../../src/workers/execute/admission.js';

const WAIT_MS = 100;

/** An admission that has answered a request every `everyMs` milliseconds, for `ranMs` milliseconds. */
function answering(everyMs: number, ranMs: number, admission = new Admission(WAIT_MS)) {
  const from = 1000;
  const answers = Math.max(8, 1000 / everyMs);
  admission.begin(from);
  for (let n = 1; n <= answers; n += 1) admission.answered(1, ranMs, from + n * everyMs);
  return { admission, now: from + answers * everyMs };
}

test('requests that are expected to be answered in time are admitted', () => {
  const { admission } = answering(1, 1);
  expect(admission.admits(99)).toBe(true);
  expect(admission.admits(101)).toBe(false);
});

test('a few requests are admitted however long they take', () => {
  const { admission } = answering(1000, 20, new Admission(300));
  expect(admission.admits(63)).toBe(true);
  expect(admission.admits(64)).toBe(false);
  const { admission: brief } = answering(1000, 5, new Admission(20));
  expect(brief.admits(4)).toBe(true);
  expect(brief.admits(5)).toBe(false);
});

test('slow requests may wait longer', () => {
  const { admission } = answering(1, 50);
  expect(admission.admits(149)).toBe(true);
  expect(admission.admits(151)).toBe(false);
});

test('answers that arrive together are counted one by one', () => {
  const admission = new Admission(WAIT_MS);
  admission.begin(0);
  for (let n = 1; n <= 100; n += 1) admission.answered(10, 10, n * 10);
  expect(admission.admits(99)).toBe(true);
  expect(admission.admits(101)).toBe(false);
});

test('nothing is refused before the rate is known', () => {
  const admission = new Admission(WAIT_MS);
  admission.begin(0);
  expect(admission.admits(10_000)).toBe(true);
  admission.answered(1, 1, 100);
  expect(admission.admits(10_000)).toBe(true);
});

test('after a pause without answers, few requests are refused, and after one without requests, none', () => {
  const { admission, now } = answering(1, 1);
  const locked = now + 60_000;
  admission.answered(1, 1, locked);
  expect(admission.admits(65)).toBe(true);
  const idle = locked + 60_000;
  admission.begin(idle);
  admission.answered(1, 1, idle + 1);
  expect(admission.admits(65)).toBe(true);
});

test('the rate follows the latest answers', () => {
  const { admission } = answering(10, 1, answering(1, 1).admission);
  expect(admission.admits(99)).toBe(false);
  expect(answering(1, 1, admission).admission.admits(99)).toBe(true);
});

test('with a wait of 0, everything is admitted', () => {
  const { admission } = answering(1000, 1, new Admission(0));
  expect(admission.admits(1_000_000)).toBe(true);
});
