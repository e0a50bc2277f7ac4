/**
 * A reference server with Rowgate's way of reading by key and nothing else: uWebSockets.js, one
 * worker, waiting requests as one statement, two statements in flight on one connection, and bytes
 * of rows to bytes of JSON. It understands only the requests of the bench, and has no checks,
 * limits, cancellation, recovery or log.
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import uWS from 'uWebSockets.js';

/** `id, key, id, key, …` */
export type BareRequests = readonly number[];

/** The answer of `ids[i]` ends at `ends[i]`. */
export interface BareAnswers {
  readonly ids: readonly number[];
  readonly ends: readonly number[];
  readonly bytes: Uint8Array;
}

const ZERO = 0x30;
const NINE = 0x39;
const [database = '{}', port = '0'] = process.argv.slice(2);
const waiting = new Map<number, uWS.HttpResponse>();
const gone = new Set<number>();
let outgoing: number[] = [];
let isScheduled = false;
let lastId = 0;

const link = await startWorker();
link.on('message', answerAll);
const listening = uWS
  .App()
  .get('/readyz', (response) => void response.end('{}'))
  .post('/execute', (response, request) => {
    const id = ++lastId;
    request.getHeader('content-type');
    response.onAborted(() => void gone.add(id));
    response.onData((chunk, isLast) => {
      if (!isLast) return;
      waiting.set(id, response);
      outgoing.push(id, keyIn(new Uint8Array(chunk)));
      if (waiting.size === 1) send();
      else schedule();
    });
  })
  .listen('127.0.0.1', Number(port), (socket) => {
    if (socket === false) process.exitCode = 1;
  });

process.once('SIGTERM', () => {
  listening.close();
  process.exit(0);
});

function startWorker(): Promise<MessagePort> {
  const worker = new Worker(new URL('./bare-batcher-worker.js', import.meta.url), {
    argv: [database],
  });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(port2, [port2]);
  return new Promise((resolve) => port1.once('message', () => resolve(port1)));
}

/** The only number in the body. */
function keyIn(body: Uint8Array): number {
  let at = body.length - 1;
  while (!isDigit(body[at])) at -= 1;
  let key = 0;
  for (let place = 1; isDigit(body[at]); place *= 10, at -= 1) {
    key += ((body[at] ?? ZERO) - ZERO) * place;
  }
  return key;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(send);
}

function send(): void {
  isScheduled = false;
  if (outgoing.length === 0) return;
  link.postMessage(outgoing);
  outgoing = [];
}

function answerAll({ ids, ends, bytes }: BareAnswers): void {
  let start = 0;
  for (const [index, id] of ids.entries()) {
    const end = ends[index] ?? start;
    const response = waiting.get(id);
    waiting.delete(id);
    if (response && !gone.delete(id)) answer(response, bytes.subarray(start, end));
    start = end;
  }
}

function answer(response: uWS.HttpResponse, body: Uint8Array): void {
  response.cork(() => {
    response.writeHeader('content-type', 'application/json; charset=utf-8');
    response.end(body);
  });
}
