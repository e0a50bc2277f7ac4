/**
 * Reads one row at a time through pg in this process, to show what a request costs without HTTP.
 * For each number that its parent process sends, it reads for that many seconds. It ends when the
 * parent disconnects.
 */
import pg from 'pg';
import { createRandom } from '../random.js';
import { percentile } from '../measure/statistics.js';

/** The result of one number of seconds. */
export interface AloneSummary {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

const MS_IN_US = 1000;

const [database = '{}', text = '', idMax = '1'] = process.argv.slice(2);
const client = new pg.Client(readConnection(database));
await client.connect();
const random = createRandom(7);
const read = () =>
  client.query({ name: 'point', text, values: [1 + random(Number(idMax))], rowMode: 'array' });

process.on('message', (seconds: number) => {
  void readFor(seconds).then((summary) => process.send?.(summary), giveUp);
});
process.on('disconnect', () => void client.end().catch(giveUp));

async function readFor(seconds: number): Promise<AloneSummary> {
  const timesUs: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  for (let now = start; now < end && process.connected; ) {
    await read();
    const then = performance.now();
    timesUs.push((then - now) * MS_IN_US);
    now = then;
  }
  return {
    requests: timesUs.length,
    requestsPerSecond: (timesUs.length / (performance.now() - start)) * 1000,
    p50Us: percentile(timesUs, 0.5),
    p99Us: percentile(timesUs, 0.99),
  };
}

function giveUp(error: unknown): void {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
}

function readConnection(json: string): pg.ClientConfig {
  const connection: unknown = JSON.parse(json);
  return typeof connection === 'object' && connection !== null ? connection : {};
}
