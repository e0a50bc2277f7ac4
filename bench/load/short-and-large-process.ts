/**
 * Sends short reads with some large ones among them, and measures the latencies of both separately:
 * a closed loop on keep-alive connections. Reads its order from the command line, and prints a
 * summary.
 */
import { Agent, request } from 'node:http';
import { percentile } from '../measure/statistics.js';
import { createRandom } from '../random.js';
import type { ShortAndLargeOrder, ShortAndLargeSummary } from './short-and-large.js';

const MS_IN_US = 1000;
const HUNDRED = 100;

const [text = '{}'] = process.argv.slice(2);
const order: ShortAndLargeOrder = JSON.parse(text);
const agent = new Agent({ keepAlive: true, maxSockets: order.connections });
const random = createRandom(order.seed);
const shortUs: number[] = [];
let large = 0;

const end = performance.now() + order.seconds * 1000;
await Promise.all(Array.from({ length: order.connections }, readOn));
agent.destroy();
const summary: ShortAndLargeSummary = {
  requestsPerSecond: (shortUs.length + large) / order.seconds,
  large,
  p50Us: percentile(shortUs, 0.5),
  p99Us: percentile(shortUs, 0.99),
};
process.stdout.write(JSON.stringify(summary));

async function readOn(): Promise<void> {
  while (performance.now() < end) {
    if (random(HUNDRED) < order.largePercent) {
      await send(order.largeBody);
      large += 1;
    } else {
      const start = performance.now();
      await send(order.shortBodies[random(order.shortBodies.length)] ?? '');
      shortUs.push((performance.now() - start) * MS_IN_US);
    }
  }
}

/** Sends a body and reads the whole answer. Rejects unless the status is 200. */
function send(body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(`${order.url}/execute`, { method: 'POST', agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The status is ${response.statusCode}.`));
      response.on('end', resolve).on('error', reject).resume();
    });
    sent.on('error', reject).end(body);
  });
}
