/** Measures how long compiling an expression takes, once the compiler is warm. */
import { median, percentile } from '../measure/statistics.js';
import { EXPRESSIONS } from './expressions.js';
import type { CompileResult } from './result.js';
import { compileOnSample } from './sample-catalog.js';

const WARM_UP_ROUNDS = 100;
const ROUNDS = 200;
const SHOWN = 5;
const MS_IN_US = 1000;

export function benchCompile(): CompileResult {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) EXPRESSIONS.forEach(compileOnSample);
  const timesUs = EXPRESSIONS.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, expression] of EXPRESSIONS.entries()) {
      const before = performance.now();
      compileOnSample(expression);
      timesUs[index]?.push((performance.now() - before) * MS_IN_US);
    }
  }
  const all = timesUs.flat();
  const medians = EXPRESSIONS.map((expression, index) => ({
    expression,
    medianUs: median(timesUs[index] ?? []),
  }));
  return {
    expressions: EXPRESSIONS.length,
    medianUs: median(all),
    p99Us: percentile(all, 0.99),
    slowest: medians.sort((a, b) => b.medianUs - a.medianUs).slice(0, SHOWN),
  };
}
