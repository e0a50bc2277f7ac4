/**
 * Thousands of keep-alive connections that do nothing: they take little memory and no processor time, others are served
 * meanwhile, and they are closed when their time is over.
 */
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { LOOSER } from '../support/looser.js';
import { executeRequest, percentile99, sendInTurn } from '../support/open-load.js';
import { processorMs } from '../support/processor-time.js';
import { type Program, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { residentBytes } from './large-fixture.js';

/** Each side of the connections needs so many open files, and some others. */
const FILES_OTHER = 2000;
const CONNECTIONS = Math.min(10_000, openFilesMax() - FILES_OTHER);
const OPENED_AT_ONCE = 100;
/** The memory of a connection, with what a warm server keeps. On node:http, it has several JavaScript objects. */
const EACH_KIB = { uws: 4, node: 40 };
/** How long nothing is sent, and the part of a processor that the program takes meanwhile. */
const SILENT_MS = 2500;
const PROCESSOR = 0.02 * LOOSER;
/** Point reads beside them: the part of the usual rate. */
const CLIENTS = 8;
const READ_MS = 1000;
const RATE = 0.5 / LOOSER;
const READ_P99_MS = 50 * LOOSER;
/** After how long idle connections are closed: uWebSockets.js counts in steps of 4 s. A busy machine is late. */
const IDLE_MS_MIN = { uws: 7000, node: 9000 };
const IDLE_MS_MAX = 14_000 + 6000 * LOOSER;

const PING = 'GET /ping HTTP/1.1\r\nhost: x\r\n\r\n';

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

describeServers('the program on %s', (httpServer) => {
  test.runIf(existsSync('/proc/self/limits'))(
    `holds ${CONNECTIONS} idle connections at little cost`,
    { retry: 2 },
    async () => {
      const program = await server.start(['--http-server', httpServer]);
      const clients: IdleClient[] = [];
      onTestFinished(async () => {
        for (const client of clients) client.end();
        await program.stop();
      });
      const reads = { port: program.port, request: pointRead };
      await sendInTurn(reads, CLIENTS, READ_MS);
      const usual = await sendInTurn(reads, CLIENTS, READ_MS);
      const before = residentBytes(program);
      await openAll(program, clients);
      // Those that were opened first start anew, so that none is closed during the measurement.
      await Promise.all(clients.map((client) => client.ping()));
      const eachKib = (residentBytes(program) - before) / 1024 / clients.length;
      const part = await processorPart(program);
      const beside = await sendInTurn(reads, CLIENTS, READ_MS);
      const open = clients.filter(({ closedAt }) => closedAt === undefined).length;
      await until(
        'all are closed',
        () => clients.every(({ closedAt }) => closedAt),
        2 * IDLE_MS_MAX,
      );
      const idleMs = clients.map(({ idleMs: ms }) => ms).toSorted((a, b) => a - b);
      const [least = 0, most = 0] = [idleMs[0], idleMs.at(-1)];
      console.log(
        `${open} connections: ${eachKib.toFixed(1)} KiB each, ${(100 * part).toFixed(1)} % of a processor; ` +
          `reads ${usual.goodput.toFixed(0)}/s, then ${beside.goodput.toFixed(0)}/s, ` +
          `p99 ${percentile99(beside).toFixed(1)} ms; closed after ${least.toFixed(0)} to ${most.toFixed(0)} ms`,
      );
      expect(open).toBe(CONNECTIONS);
      expect(eachKib).toBeLessThan(EACH_KIB[httpServer]);
      expect(part).toBeLessThan(PROCESSOR);
      expect([...beside.others.keys()]).toEqual([]);
      expect(beside.goodput / usual.goodput).toBeGreaterThan(RATE);
      expect(percentile99(beside)).toBeLessThan(READ_P99_MS + percentile99(usual));
      expect(least).toBeGreaterThan(IDLE_MS_MIN[httpServer]);
      expect(most).toBeLessThan(IDLE_MS_MAX);
    },
  );
});

/** The most files that this process may open, and therefore the program, too. */
function openFilesMax(): number {
  if (!existsSync('/proc/self/limits')) return 1024;
  const [, most] = /Max open files +(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(most ?? Number.POSITIVE_INFINITY);
}

function pointRead(n: number): string {
  return executeRequest('Orders.filter(p=>p.id==id).map(p=>p.customerId)', { id: 1 + (n % 900) });
}

/** Opens the connections, some at a time, and sends a request on each. */
async function openAll({ port }: Program, clients: IdleClient[]): Promise<void> {
  while (clients.length < CONNECTIONS) {
    const length = Math.min(OPENED_AT_ONCE, CONNECTIONS - clients.length);
    const opened = Array.from({ length }, () => new IdleClient(port));
    clients.push(...opened);
    await Promise.all(opened.map((client) => client.ping()));
  }
}

/** The part of a processor that all threads of the program take while nobody sends anything. */
async function processorPart({ pid }: Program): Promise<number> {
  const before = processorMs(pid);
  const begin = performance.now();
  await sleep(SILENT_MS);
  return (processorMs(pid) - before) / (performance.now() - begin);
}

/** A client that sends a request now and then. */
class IdleClient {
  /** By `performance.now()`. */
  closedAt: number | undefined;
  readonly #port: number;
  #socket: Socket;
  #answeredAt = 0;
  #answered: () => void = () => undefined;

  constructor(port: number) {
    this.#port = port;
    this.#socket = this.#connect();
  }

  /** From its last answer to its end. */
  get idleMs(): number {
    return (this.closedAt ?? Number.NaN) - this.#answeredAt;
  }

  /** Resolves when it is answered. Connects again if the connection was closed, as on a slow machine. */
  ping(): Promise<void> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      if (this.closedAt !== undefined) this.#socket = this.#connect();
      this.#socket.write(PING);
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #connect(): Socket {
    this.closedAt = undefined;
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('data', () => {
      this.#answeredAt = performance.now();
      this.#answered();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.closedAt = performance.now();
      this.#answered();
    });
    return socket;
  }
}
