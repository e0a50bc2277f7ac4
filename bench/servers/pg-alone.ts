/** The point read through pg in this process, one at a time: what one request costs without HTTP. */
import pg from 'pg';
import { createRandom } from '../random.js';
import { percentile } from '../measure/statistics.js';

/** What the process prints. */
export interface AloneSummary {
  readonly requestsPerSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

const WARM_UP = 2000;
const MS_IN_US = 1000;

const [database = '{}', text = '', idMax = '1', seconds = '1'] = process.argv.slice(2);
const client = new pg.Client(readConnection(database));
await client.connect();
const random = createRandom(7);
const read = () =>
  client.query({ name: 'point', text, values: [1 + random(Number(idMax))], rowMode: 'array' });
for (let count = 0; count < WARM_UP; count += 1) await read();

const timesUs: number[] = [];
const start = performance.now();
const end = start + Number(seconds) * 1000;
for (let now = start; now < end; ) {
  await read();
  const then = performance.now();
  timesUs.push((then - now) * MS_IN_US);
  now = then;
}
const summary: AloneSummary = {
  requestsPerSecond: (timesUs.length / (performance.now() - start)) * 1000,
  p50Us: percentile(timesUs, 0.5),
  p99Us: percentile(timesUs, 0.99),
};
await client.end();
process.stdout.write(JSON.stringify(summary));

function readConnection(json: string): pg.ClientConfig {
  const connection: unknown = JSON.parse(json);
  return typeof connection === 'object' && connection !== null ? connection : {};
}
