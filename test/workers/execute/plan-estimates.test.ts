import { expect, test } from 'vitest';
import { PlanEstimates } from '../../../src/workers/execute/plan-estimates.js';

const alone = { beside: 1, isSmall: true };

test('a plan that seemed long shares connections as soon as it is short elsewhere', () => {
  const estimates = new PlanEstimates();
  estimates.tooLong();
  estimates.learnAlone(200, alone);
  expect([estimates.isKnown, estimates.mayShare]).toEqual([true, false]);
  estimates.learnShortElsewhere();
  expect([estimates.isKnown, estimates.mayShare]).toEqual([true, true]);
  estimates.tooLong();
  expect(estimates.mayShare).toBe(false);
});

test('an unknown plan need not be tried out if it is short elsewhere, and a known one is not changed', () => {
  const estimates = new PlanEstimates();
  expect(estimates.isKnown).toBe(false);
  estimates.learnShortElsewhere();
  expect([estimates.isKnown, estimates.mayShare]).toEqual([true, true]);
  const known = new PlanEstimates();
  known.learnAlone(4, alone);
  known.learnShortElsewhere();
  expect(known.singleMs).toBe(4);
});

test('a plan that was long here several times, or has large answers, stays alone', () => {
  const long = new PlanEstimates();
  for (let count = 0; count < 4; count += 1) long.tooLong();
  const large = new PlanEstimates();
  large.sawLarge();
  // It runs again on a connection of its own, where it takes long.
  large.tooLong();
  for (const estimates of [long, large]) {
    estimates.learnShortElsewhere();
    expect(estimates.mayShare).toBe(false);
  }
});

test('a statement that takes too long is excused if it ends soon, and enough others were short', () => {
  const estimates = new PlanEstimates();
  const answer = (count: number) => {
    for (let answered = 0; answered < count; answered += 1) estimates.learnSingle(0.1, false);
  };
  answer(64);
  estimates.tooLong();
  estimates.tooLong();
  expect([estimates.mayShare, estimates.isShort]).toEqual([false, true]);
  estimates.ended(false);
  expect(estimates.mayShare).toBe(true);
  answer(63);
  estimates.tooLong();
  expect([estimates.mayShare, estimates.isShort]).toEqual([false, false]);
  estimates.ended(false);
  expect(estimates.mayShare).toBe(false);
});

test('a statement that goes on is not excused, nor is one whose plan has large answers', () => {
  const long = new PlanEstimates();
  long.learnBatch(1, 64);
  long.tooLong();
  long.ended(true);
  const large = new PlanEstimates();
  large.learnBatch(1, 64);
  large.tooLong();
  large.tooLarge(1);
  large.ended(false);
  for (const estimates of [long, large]) {
    expect([estimates.mayShare, estimates.isShort]).toEqual([false, false]);
  }
});

test('the first runs of a plan may be slow: the fastest of three counts', () => {
  const short = new PlanEstimates();
  short.learnAlone(60, alone);
  expect(short.isKnown).toBe(false);
  short.learnAlone(1, alone);
  expect([short.isKnown, short.mayShare]).toEqual([true, true]);
  const long = new PlanEstimates();
  for (const ms of [30, 20, 25]) long.learnAlone(ms, alone);
  expect([long.isKnown, long.mayShare, long.singleMs]).toEqual([true, false, 20]);
});

test('a short plan stays in doubt until a second statement takes too long; a long or large one is not in doubt', () => {
  const known = (ms: number): PlanEstimates => {
    const estimates = new PlanEstimates();
    for (let run = 0; run < 3; run += 1) estimates.learnAlone(ms, alone);
    return estimates;
  };
  const short = known(1);
  expect([short.mayShare, short.isInDoubt]).toEqual([true, true]);
  short.tooLong();
  expect([short.mayShare, short.isInDoubt]).toEqual([false, true]);
  short.tooLong();
  expect([short.mayShare, short.isInDoubt]).toEqual([false, false]);
  expect(known(20).isInDoubt).toBe(false);
  const large = known(1);
  large.tooLarge(1);
  expect(large.isInDoubt).toBe(false);
});

test('requests with several rows each run side by side, unless they have includes', () => {
  const preferenceOf = (rows: number, statements: number) => {
    const estimates = new PlanEstimates({ statements });
    for (let count = 0; count < 16; count += 1) {
      estimates.learnSingle(0.1, true);
      estimates.learnRows([{ rows }]);
    }
    const before = estimates.prefersBatch(0);
    // Later requests have fewer rows.
    for (let count = 0; count < 16; count += 1) estimates.learnRows([{ rows: 1 }, { rows: 2 }]);
    return [before, estimates.prefersBatch(0)];
  };
  expect(preferenceOf(3, 1)).toEqual([true, true]);
  expect(preferenceOf(10, 1)).toEqual([false, true]);
  expect(preferenceOf(10, 2)).toEqual([true, true]);
});
