/** The process that runs autocannon: reads an order, and prints a summary. */
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import type { AutocannonSummary } from './autocannon.js';
import type { LoadOrder } from './load.js';

const [file = ''] = process.argv.slice(2);
const order: LoadOrder = JSON.parse(readFileSync(file, 'utf8'));

const { connections } = order;
const requests = order.requests.map(({ method, path, body }) =>
  method === 'GET' ? { method, path } : { method, path, body },
);
let opened = 0;

const result = await autocannon({
  url: order.url,
  connections,
  duration: order.seconds,
  headers: { 'content-type': 'application/json' },
  setupClient: (client) => {
    client.setRequests(requestsOf(opened));
    opened += 1;
  },
});

const summary: AutocannonSummary = {
  requests: result.requests.total,
  failed: result.errors + result.timeouts + result.non2xx,
  seconds: result.duration,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
};
process.stdout.write(JSON.stringify(summary));

/**
 * Each connection repeats its own part of the requests. With all requests on each connection, all
 * of them would send the same request at the same time, and preparing the bytes would take longer
 * than the measurement.
 */
function requestsOf(connection: number): autocannon.Request[] {
  if (requests.length < connections) return requests;
  return requests.filter((_, index) => index % connections === connection);
}
