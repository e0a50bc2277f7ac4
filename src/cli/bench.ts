/** `rowgate bench`: sends requests to a gateway with autocannon, and shows how long they took. */
import type { Options, Result } from 'autocannon';
import { isObject } from '../gateway/json-value.js';
import { UsageError } from './arguments.js';
import { credentials, queryRequest, reportUnreachable, requireGateway } from './ask-gateway.js';
import type { Command, CommandCall } from './command.js';
import { LatencyHistogram } from '../gateway/statistics/latency-histogram.js';

const DURATION_S_MAX = 3600;
const CLIENTS_MAX = 10_000;

export const bench: Command = {
  positionals: ['URL', '[EXPRESSION]'],
  flags: {
    data: ['JSON', 'the values of the parameters'],
    clients: ['N', 'connections, each of which sends one request at a time [16]'],
    duration: ['SECONDS', 'how long [10]'],
    rate: ['N', 'requests per second of all clients together; without it, as many as possible'],
    stage: ['NAME', 'the stage'],
    view: ['NAME', 'the view'],
  },
  options: [],
  examples: [
    'bench http://127.0.0.1:9291',
    `bench http://127.0.0.1:9291 'Products.filter(p=>p.id==id)' --data '{"id": 3}' --clients 64`,
  ],
  run: runBench,
};

async function runBench(call: CommandCall): Promise<number> {
  const { positionals, values } = call.arguments;
  const [url = '', given] = positionals;
  requireGateway(url);
  const base = url.replace(/\/+$/, '');
  const clients = countOf(call, 'clients', 16, CLIENTS_MAX);
  const duration = countOf(call, 'duration', 10, DURATION_S_MAX);
  const rate = countOf(call, 'rate', 0, 10_000_000);
  const query = given ?? (await usualQuery(base, call));
  const init = queryRequest(call, query, values.get('data'));
  await tryOnce(base, init);
  const { print, report, paint } = call.terminal;
  report(`${query}: ${clients} clients, ${duration} s …`);
  const histogram = new LatencyHistogram();
  const load = { connections: clients, duration, ...(rate > 0 && { overallRate: rate }) };
  const result = await measure({ url: `${base}/execute`, ...init, ...load }, histogram);
  const failed = result.errors + result.non2xx;
  const at = (share: number) => `${histogram.percentile(share).toFixed(2)} ms`;
  const lines: readonly (readonly [string, string])[] = [
    [
      'requests',
      `${result.requests.total} in ${result.duration} s, ${Math.round(result.requests.average)} per second`,
    ],
    ['latency', `p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}`],
    ['bytes', `${Math.round(result.throughput.average / 1024)} KiB per second`],
    ['failed', `${result.errors} without an answer, ${result.non2xx} refused`],
  ];
  for (const [name, text] of lines) print(`${paint('bold', name.padEnd(9))} ${text}`);
  histogram.lines().forEach(print);
  return failed > 0 ? 1 : 0;
}

/** Sends the requests, and records the latencies. */
async function measure(options: Options, histogram: LatencyHistogram): Promise<Result> {
  const { default: autocannon } = await import('autocannon').catch((cause: unknown) => {
    throw new Error('The package autocannon is missing: npm install autocannon.', { cause });
  });
  return new Promise((resolve, reject) => {
    const running = autocannon(options, (error: unknown, result) => {
      if (error instanceof Error) reject(error);
      else resolve(result);
    });
    running.on('response', (_client, _status, _bytes, ms) => histogram.add(ms));
  });
}

/** Sends one request first, so that an invalid query is reported instead of measured. */
async function tryOnce(base: string, init: RequestInit): Promise<void> {
  const response = await fetch(`${base}/execute`, init).catch(reportUnreachable(base));
  const text = await response.text();
  if (!response.ok) throw new Error(`The query is refused: ${text}`);
}

/** A page of the first entity. */
async function usualQuery(base: string, call: CommandCall): Promise<string> {
  const asked = fetch(`${base}/entities`, { headers: credentials(call) });
  const response = await asked.catch(reportUnreachable(base));
  const entities: unknown = await response.json();
  const [first]: readonly unknown[] = Array.isArray(entities) ? (entities as unknown[]) : [];
  if (isObject(first) && 'name' in first) return `${String(first['name'])}.take(10)`;
  throw new UsageError('The argument EXPRESSION is missing.');
}

function countOf(
  { arguments: { values } }: CommandCall,
  flag: string,
  usual: number,
  max: number,
): number {
  const text = values.get(flag);
  if (text === undefined) return usual;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new UsageError(`--${flag} takes a whole number from 1 to ${max}, not '${text}'.`);
}
