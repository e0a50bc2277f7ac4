/**
 * The worker of `bare-batcher`: one connection with up to two statements in flight, whose rows are
 * passed on unchanged.
 */
import { type MessagePort, parentPort } from 'node:worker_threads';
import pg from 'pg';
import type { BareAnswers, BareRequests } from './bare-batcher.js';

const SQL = `SELECT ProductID, ProductName, SupplierID, CategoryID, QuantityPerUnit, UnitPrice,
  UnitsInStock, UnitsOnOrder, ReorderLevel, Discontinued FROM Products WHERE ProductID = ANY($1)`;
const NAMES = [
  ...['id', 'name', 'supplierId', 'categoryId', 'quantity', 'price'],
  ...['inStock', 'onOrder', 'reorderLevel', 'discontinued'],
];
const KINDS = 'nsnnsnnnnb';
const DEPTH = 2;
const DATA_ROW = 0x44;
const READY = 0x5a;
const ZERO = 0x30;
const out = Buffer.allocUnsafeSlow(1 << 20);
const prefixes = NAMES.map((name, index) => Buffer.from(`${index === 0 ? '[{' : ','}"${name}":`));

/** The ids of the requests for each key. */
type Batch = Map<number, number[]>;

const port = await new Promise<MessagePort>((resolve) => parentPort?.once('message', resolve));
const client = new pg.Client(JSON.parse(process.argv[2] ?? '{}'));
client.on('error', () => undefined);
await client.connect();
await client.query({ name: 's', text: SQL, values: [[1]] });
const { stream } = client.connection;
const batches: Batch[] = [];
let waiting: BareRequests = [];
let isScheduled = false;
let rest = Buffer.alloc(0);
let ids: number[] = [];
let ends: number[] = [];
let at = 0;

stream.removeAllListeners('data');
stream.on('data', (chunk: Buffer) =>
  take(rest.length === 0 ? chunk : Buffer.concat([rest, chunk])),
);
port.on('message', (requests: BareRequests) => {
  waiting = waiting.length === 0 ? requests : [...waiting, ...requests];
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(run);
});
port.postMessage('ready');

function run(): void {
  isScheduled = false;
  if (waiting.length === 0 || batches.length === DEPTH) return;
  const batch: Batch = new Map();
  for (let i = 0; i < waiting.length; i += 2) {
    const [id = 0, key = 0] = [waiting[i], waiting[i + 1]];
    const others = batch.get(key);
    if (others) others.push(id);
    else batch.set(key, [id]);
  }
  waiting = [];
  batches.push(batch);
  stream.write(messages(`{${[...batch.keys()].join(',')}}`));
}

/** Bind, Execute and Sync. */
function messages(keys: string): Buffer {
  const bytes = Buffer.alloc(33 + keys.length);
  bytes.write('B', 0);
  bytes.writeInt32BE(17 + keys.length, 1);
  bytes.write('s', 6);
  bytes.writeInt16BE(1, 10);
  bytes.writeInt32BE(keys.length, 12);
  const end = 16 + bytes.write(keys, 16) + 2;
  bytes.write('E', end);
  bytes.writeInt32BE(9, end + 1);
  bytes.write('S', end + 10);
  bytes.writeInt32BE(4, end + 11);
  return bytes;
}

function take(bytes: Buffer): void {
  let from = 0;
  while (from + 5 <= bytes.length) {
    const next = from + 1 + bytes.readInt32BE(from + 1);
    if (next > bytes.length) break;
    if (bytes[from] === DATA_ROW) takeRow(bytes, from + 7);
    else if (bytes[from] === READY) finish();
    from = next;
  }
  rest = Buffer.from(bytes.subarray(from));
}

function takeRow(bytes: Buffer, first: number): void {
  const start = at;
  let from = first;
  for (const [index, prefix] of prefixes.entries()) {
    at += prefix.copy(out, at);
    const length = bytes.readInt32BE(from);
    from += 4;
    at = put(KINDS[index], bytes, from, from + length);
    from += Math.max(0, length);
  }
  at += out.write('}]', at);
  const waitingIds = batches[0]?.get(keyAt(bytes, first)) ?? [];
  const size = at - start;
  for (const [index, id] of waitingIds.entries()) {
    if (index > 0) at += out.copy(out, at, start, start + size);
    ids.push(id);
    ends.push(at);
  }
}

function put(kind: string | undefined, bytes: Buffer, start: number, end: number): number {
  if (end < start) return at + out.write('null', at);
  if (kind === 'b') return at + out.write(bytes[start] === 0x74 ? 'true' : 'false', at);
  let to = at;
  if (kind === 's') out[to++] = 0x22;
  for (let i = start; i < end; i += 1) out[to++] = bytes[i] ?? 0;
  if (kind === 's') out[to++] = 0x22;
  return to;
}

function keyAt(bytes: Buffer, first: number): number {
  const end = first + 4 + bytes.readInt32BE(first);
  let key = 0;
  for (let i = first + 4; i < end; i += 1) key = key * 10 + (bytes[i] ?? ZERO) - ZERO;
  return key;
}

function finish(): void {
  batches.shift();
  run();
  const answers: BareAnswers = { ids, ends, bytes: Uint8Array.from(out.subarray(0, at)) };
  port.postMessage(answers);
  ids = [];
  ends = [];
  at = 0;
}
