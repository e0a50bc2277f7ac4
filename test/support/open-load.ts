/**
 * Sends load to a program, either open (at a given rate, whether or not earlier requests were answered) or closed
 * (each client sends its next request when the last one was answered). Plain sockets leave more processor time to the
 * program, which runs on the same machine.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { rawPost } from '../http/raw-client.js';

export interface Load {
  readonly port: number;
  /** The n-th request, as it is sent. */
  readonly request: (n: number) => string;
}

export interface Outcome {
  /** Answers with status 200 per second. */
  readonly goodput: number;
  /** How long these answers took in milliseconds, in ascending order. */
  readonly times: readonly number[];
  /** How often each other status was answered. */
  readonly others: ReadonlyMap<number, number>;
  /** How long these took in milliseconds, in ascending order. */
  readonly otherTimes: readonly number[];
}

interface ShortAnswer {
  readonly status: number;
  /** The body, as Latin-1 text. */
  readonly text: string;
}

/** Sends `rate` requests a second for `forMs` milliseconds, and waits for the answers. */
export function sendAtRate(load: Load, rate: number, forMs: number): Promise<Outcome> {
  return measure(load, async (ask) => {
    const begin = performance.now();
    const asked: Promise<unknown>[] = [];
    for (let passed = 0; passed < forMs; passed = performance.now() - begin) {
      while (asked.length < (passed * rate) / 1000) asked.push(ask());
      await sleep(1);
    }
    await Promise.all(asked);
  });
}

/** Lets `clients` send a request as soon as their last one was answered, for `forMs` milliseconds. */
export function sendInTurn(load: Load, clients: number, forMs: number): Promise<Outcome> {
  const send = async (ask: () => Promise<void>) => {
    const until = performance.now() + forMs;
    const sendAgain = async () => {
      while (performance.now() < until) await ask();
    };
    await Promise.all(Array.from({ length: clients }, sendAgain));
  };
  return measure(load, send, clients);
}

/** A request to execute a query. */
export function executeRequest(
  query: string,
  data: object,
  headers: readonly string[] = [],
): string {
  const body = JSON.stringify({ query, data });
  return rawPost('/execute', body, ['content-type: application/json', ...headers]);
}

/** The 99th percentile of the times of the answers with status 200. */
export function percentile99({ times }: Outcome): number {
  return times[Math.floor(0.99 * times.length)] ?? Number.NaN;
}

/** `connections` are opened before the measurement, some at a time, because a full backlog delays the others by seconds. */
async function measure(
  load: Load,
  send: (ask: () => Promise<void>) => Promise<void>,
  connections = 0,
): Promise<Outcome> {
  const idle: Connection[] = [];
  while (idle.length < connections) {
    const length = Math.min(OPENED_AT_ONCE, connections - idle.length);
    const opened = Array.from({ length }, () => new Connection(load.port));
    await Promise.all(opened.map((each) => each.connected));
    idle.push(...opened);
  }
  const times: number[] = [];
  const others = new Map<number, number>();
  const otherTimes: number[] = [];
  let asked = 0;
  const begin = performance.now();
  await send(async () => {
    const at = performance.now();
    const connection = idle.pop() ?? new Connection(load.port);
    const { status } = await connection.ask(load.request(asked++));
    idle.push(connection);
    (status === 200 ? times : otherTimes).push(performance.now() - at);
    if (status !== 200) others.set(status, (others.get(status) ?? 0) + 1);
  });
  const seconds = (performance.now() - begin) / 1000;
  for (const connection of idle) connection.end();
  return {
    goodput: times.length / seconds,
    times: times.toSorted((a, b) => a - b),
    others,
    otherTimes: otherTimes.toSorted((a, b) => a - b),
  };
}

const OPENED_AT_ONCE = 100;

/** A client that sends one request after the other. */
export class Connection {
  /** Resolves when the socket is connected. */
  readonly connected: Promise<unknown>;
  readonly #socket: Socket;
  #received = '';
  #answered: (answer: ShortAnswer) => void = () => undefined;
  #failed: (error: Error) => void = () => undefined;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setEncoding('latin1');
    this.connected = new Promise((resolve) => this.#socket.once('connect', resolve));
    this.#socket.on('data', (piece: string) => this.#onData(piece));
    this.#socket.on('error', (error) => this.#failed(error));
    this.#socket.on('close', () => this.#failed(new Error('The connection was closed.')));
  }

  /** The answer must have a `Content-Length`. */
  ask(request: string): Promise<ShortAnswer> {
    return new Promise((resolve, reject) => {
      [this.#answered, this.#failed] = [resolve, reject];
      this.#socket.write(request);
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #onData(piece: string): void {
    this.#received += piece;
    const headBytes = this.#received.indexOf('\r\n\r\n') + 4;
    if (headBytes < 4) return;
    const [, length] = /\ncontent-length: (\d+)/i.exec(this.#received) ?? [];
    if (this.#received.length < headBytes + Number(length)) return;
    const status = Number(this.#received.slice(9, 12));
    const text = this.#received.slice(headBytes);
    this.#received = '';
    this.#answered({ status, text });
  }
}
