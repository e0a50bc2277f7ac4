/** What all clients of a long run share: it sends their requests, counts outcomes and collects faults. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** No answer takes longer: see `--statement-timeout-ms` and the others in `all-at-once.ts`. */
export const ANSWER_MS = 30_000;
/** A broken connection may be noticed this long after the crash. */
const AFTERMATH_MS = 2000;
const WRONG_MAX = 50;

/** What a client knows after a request. */
export type Outcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly text: string;
      /** Whether the answer says that the request has no effect. */
      readonly isRefusal: boolean;
    }
  /** The connection was lost. */
  | { readonly kind: 'cut' };

export interface Asked {
  readonly query?: string;
  readonly data?: unknown;
  /** Instead of a query: the steps of a transaction. */
  readonly steps?: readonly unknown[];
  readonly key?: string;
  /** The client disconnects after this time. */
  readonly leaveMs?: number;
  /** Whether the answer may end in the middle, because it is sent while the database still works. */
  readonly isStreamed?: boolean;
}

export interface Scene {
  readonly port: number;
  /** Whether clients should end. */
  isOver(): boolean;
  /** A random integer of at least 0, and less than `below`. */
  random(below: number): number;
  /** Counts an event for the report. */
  count(what: string): void;
  /** Records a fault of the program. */
  wrong(what: string): void;
  ask(who: string, asked: Asked): Promise<Outcome>;
  /** Sends a read whose answer is known. An error due to a crash or an overload is not a fault. */
  read(who: string, asked: Asked, expected: string): Promise<void>;
  /** Records a lost connection, which is a fault if nothing has crashed since `since`. */
  lost(who: string, since: number, what: string): void;
}

export interface OpenScene extends Scene {
  readonly counts: ReadonlyMap<string, number>;
  readonly faults: readonly string[];
  /** Runs a crash, which explains lost connections. */
  crash(what: string, work: () => Promise<unknown>): Promise<void>;
  close(): void;
}

/** Statuses of requests that were not executed because of an outage, a time limit or an overload. */
const DOWN: ReadonlySet<number> = new Set([503, 504]);
const PAUSE_MS = 30;

export function openScene(
  port: number,
  random: (below: number) => number,
  isOver: () => boolean,
): OpenScene {
  // The server closes idle connections after some seconds.
  const agent = new Agent({ keepAlive: true, timeout: 4000 });
  const counts = new Map<string, number>();
  const faults: string[] = [];
  const crashes = { running: 0, endedAt: -Infinity };
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const wrong = (what: string) => {
    count('WRONG');
    if (faults.length < WRONG_MAX) faults.push(what.slice(0, 1000));
  };
  const lost = (who: string, since: number, what: string) => {
    count(`${who} cut`);
    const isExplained = crashes.running > 0 || crashes.endedAt + AFTERMATH_MS >= since;
    if (!isExplained) wrong(`${who}: ${what} without a crash`);
  };

  const ask: Scene['ask'] = async (who, asked) => {
    const begin = performance.now();
    const outcome = await send(port, agent, asked);
    if (outcome === 'hung') {
      wrong(`${who}: no answer within ${ANSWER_MS} ms: ${JSON.stringify(asked)}`);
      return { kind: 'cut' };
    }
    const hasAnswer = outcome.kind === 'answer';
    if (!hasAnswer) {
      if (asked.isStreamed) count(`${who} cut`);
      else if (asked.leaveMs === undefined) lost(who, begin, `cut: ${outcome.why}`);
      else count(`${who} left`);
    } else {
      count(`${who} ${outcome.status}`);
      const isExpected = outcome.status === 200 || DOWN.has(outcome.status);
      if (!isExpected) {
        wrong(`${who}: ${outcome.status} ${outcome.text} for ${JSON.stringify(asked)}`);
      }
    }
    // A client does not retry at once.
    const isServed = hasAnswer ? outcome.status === 200 : asked.leaveMs !== undefined;
    if (!isServed) await sleep(PAUSE_MS);
    return outcome;
  };

  return {
    port,
    random,
    isOver,
    count,
    wrong,
    lost,
    ask,
    read: async (who, asked, expected) => {
      const outcome = await ask(who, asked);
      if (outcome.kind === 'answer' && outcome.status === 200 && outcome.text !== expected) {
        const asks = JSON.stringify(asked).slice(0, 200);
        wrong(`${who}: ${asks} is ${outcome.text.slice(0, 300)}, not ${expected.slice(0, 300)}`);
      }
    },
    counts,
    faults,
    crash: async (what, work) => {
      count(`crash: ${what}`);
      crashes.running += 1;
      try {
        await work();
      } finally {
        crashes.running -= 1;
        crashes.endedAt = performance.now();
      }
    },
    close: () => agent.destroy(),
  };
}

function send(
  port: number,
  agent: Agent,
  { query, data, steps, key, leaveMs }: Asked,
): Promise<(Outcome & { readonly why?: string }) | 'hung'> {
  const body = JSON.stringify(steps ?? { query, data });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  const path = steps ? '/transaction' : '/execute';
  return new Promise((resolve) => {
    let isHung = false;
    const options = { host: '127.0.0.1', port, method: 'POST', path, headers };
    const sent = request({ ...options, ...(leaveMs === undefined ? { agent } : { agent: false }) });
    const limit = setTimeout(() => {
      isHung = leaveMs === undefined;
      sent.destroy();
    }, leaveMs ?? ANSWER_MS);
    const cut = (why: string) => {
      clearTimeout(limit);
      resolve(isHung ? 'hung' : { kind: 'cut', why });
    };
    sent.on('error', (error) => cut(error.message));
    sent.on('response', (message) => {
      const parts: Buffer[] = [];
      message.on('data', (part: Buffer) => parts.push(part));
      message.on('error', (error) => cut(error.message));
      message.on('end', () => {
        clearTimeout(limit);
        const status = message.statusCode ?? 0;
        const text = Buffer.concat(parts).toString();
        const isRefusal = status !== 200 && !text.includes('"outcome-unknown"');
        resolve({ kind: 'answer', status, text, isRefusal });
      });
    });
    sent.end(body);
  });
}
