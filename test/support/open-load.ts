/** Requests at a given rate, whether or not earlier ones were answered, as many independent clients send them. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Load {
  readonly port: number;
  /** The body of the n-th request. */
  readonly body: (n: number) => string;
}

export interface Outcome {
  /** Answers 200 in a second. */
  readonly goodput: number;
  /** How long the answers 200 took in milliseconds, in ascending order. */
  readonly times: readonly number[];
  /** How often each other status was answered. */
  readonly others: ReadonlyMap<number, number>;
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
  return measure(load, async (ask) => {
    const until = performance.now() + forMs;
    const sendAgain = async () => {
      while (performance.now() < until) await ask();
    };
    await Promise.all(Array.from({ length: clients }, sendAgain));
  });
}

/** The time in which 99 % were answered. */
export function percentile99({ times }: Outcome): number {
  return times[Math.floor(0.99 * times.length)] ?? Number.NaN;
}

async function measure(
  load: Load,
  send: (ask: () => Promise<void>) => Promise<void>,
): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const others = new Map<number, number>();
  let asked = 0;
  const begin = performance.now();
  await send(async () => {
    const at = performance.now();
    const status = await ask(load.port, agent, load.body(asked++));
    if (status === 200) times.push(performance.now() - at);
    else others.set(status, (others.get(status) ?? 0) + 1);
  });
  const seconds = (performance.now() - begin) / 1000;
  agent.destroy();
  return { goodput: times.length / seconds, times: times.toSorted((a, b) => a - b), others };
}

function ask(port: number, agent: Agent, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    request(
      { host: '127.0.0.1', port, method: 'POST', path: '/execute', headers, agent },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      },
    )
      .on('error', reject)
      .end(body);
  });
}
