import { expect, it } from 'vitest';
import type { Figure } from '../../bench/measure/figure.js';
import { ratioTable } from '../../bench/mixes/ratio-table.js';

const processorUs = { front: 10, workers: 5, helpers: 1, database: 4, load: 2 };

function figure(
  participant: Figure['participant'],
  rates: readonly number[],
  connections = 64,
): Figure {
  const [requestsPerSecond = 0] = rates;
  const latencies = { p50Us: 100, p99Us: 500 };
  const what = { case: 'plans', dialect: 'PostgreSQL', participant, connections } as const;
  return { ...what, ...latencies, rates, requestsPerSecond, processorUs };
}

it.each([
  { rate: 4000, verdict: '4.00 (4/2.7) OK' },
  { rate: 3999, verdict: '4.00 (4/2.7) least' },
  { rate: 2699, verdict: '2.70 (4/2.7) MISSED' },
])('judges $rate compared with 1000 of Fastify', ({ rate, verdict }) => {
  expect(ratioTable([figure('rowgate', [rate]), figure('fastify-pg', [1000])])).toContain(verdict);
});

it('takes the median of the ratios of each round', () => {
  const ours = figure('rowgate', [100, 300, 900]);
  expect(ratioTable([ours, figure('before', [100, 100, 100])])).toContain('3.00 (4.5/3) least');
});

it('compares only the rate with Fastify at other numbers of connections', () => {
  const slower = [figure('rowgate', [9], 16), figure('fastify-pg', [10], 16)];
  expect(ratioTable(slower)).toContain('0.90 (1/1) MISSED');
  const ahead = [figure('rowgate', [9], 16), figure('pgbench', [10], 16)];
  expect(ratioTable(ahead)).not.toMatch(/\) MISSED/);
});

it('compares the latencies of many plans', () => {
  expect(ratioTable([figure('rowgate', [1])])).toContain('500 (4 × p50) MISSED');
});

it('reports nothing if no mix was measured', () => {
  expect(ratioTable([{ ...figure('rowgate', [1]), case: 'ping' }])).toBeUndefined();
});
