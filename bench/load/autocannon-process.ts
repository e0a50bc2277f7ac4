/** The process that autocannon runs in: reads an order, prints a summary. */
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import type { AutocannonSummary } from './autocannon.js';
import type { LoadOrder } from './load.js';

const [file = ''] = process.argv.slice(2);
const order: LoadOrder = JSON.parse(readFileSync(file, 'utf8'));

const result = await autocannon({
  url: order.url,
  connections: order.connections,
  duration: order.seconds,
  headers: { 'content-type': 'application/json' },
  requests: order.requests.map(({ method, path, body }) =>
    method === 'GET' ? { method, path } : { method, path, body },
  ),
});

const summary: AutocannonSummary = {
  requests: result.requests.total,
  failed: result.errors + result.timeouts + result.non2xx,
  seconds: result.duration,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
};
process.stdout.write(JSON.stringify(summary));
