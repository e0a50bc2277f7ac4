/** Runs the micro-benchmarks in one process, and prints a MicroResult as JSON. */
import { benchCompile } from './compile.js';
import { benchPlanCache } from './plan-cache.js';
import type { MicroResult } from './result.js';
import { benchRows } from './rows.js';

const result: MicroResult = {
  rows: benchRows(),
  compile: benchCompile(),
  planCache: benchPlanCache(),
};
process.stdout.write(JSON.stringify(result));
