/** Clients that write continuously and record what they know about each write. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../support/program.js';

/** An order with its details, and an update of both. */
export interface WrittenOrder {
  /** The name of the order, which is unique. */
  readonly mark: string;
  readonly details: number;
  /** The primary key, after the insert has been acknowledged. */
  id: number | undefined;
  /** What is known about the only update of the order and its details. */
  update: 'none' | 'unanswered' | 'acknowledged';
}

export interface Writers {
  readonly orders: readonly WrittenOrder[];
  /** The number of writes answered with success. */
  readonly acknowledged: number;
  /** The number of writes whose outcome is unknown. */
  readonly unanswered: number;
  /** Answers that no crash explains. */
  readonly refusals: readonly string[];
  /** Stops the clients after their writes in progress. */
  stop(): Promise<void>;
}

const PRODUCTS = 5;
const PAUSE_MS = 20;
const ANSWER_MS = 15_000;
/** The statuses that a client may get while something is down. Any other failure is a bug. */
const DOWN = new Set([500, 502, 503, 504]);

/** The value of `quantity` after an update. */
export const UPDATED = 77;

/** Starts `count` clients, which write to the program that is running at the time. */
export function startWriters(count: number, current: () => Program, random: () => number): Writers {
  const orders: WrittenOrder[] = [];
  const refusals: string[] = [];
  let isStopping = false;
  let acknowledged = 0;
  let unanswered = 0;

  /** Returns the JSON of the answer, or undefined if it is unknown whether the data was written. */
  const write = async (query: string, data: unknown): Promise<unknown> => {
    const outcome = await send(current(), query, data);
    if (outcome.kind === 'answer') {
      acknowledged += 1;
      return outcome.value;
    }
    unanswered += 1;
    if (outcome.kind === 'refusal') refusals.push(outcome.text);
    await sleep(PAUSE_MS);
    return undefined;
  };

  const insert = async (order: WrittenOrder) => {
    const details = Array.from({ length: order.details }, (_, index) => ({
      productId: 1 + index,
      quantity: 1,
    }));
    const row = { name: order.mark, customerId: 'CRASH', employeeId: 1, details };
    const stored = await write('Orders.insert().include(p=>p.details)', row);
    if (stored !== undefined) order.id = Number(Reflect.get(Object(stored), 'id'));
  };

  const update = async (order: WrittenOrder) => {
    order.update = 'unanswered';
    const details = Array.from({ length: order.details }, (_, index) => ({
      orderId: order.id,
      productId: 1 + index,
      quantity: UPDATED,
    }));
    const row = { id: order.id, city: 'updated', details };
    const stored = await write('Orders.update().include(p=>p.details.update())', row);
    if (stored !== undefined) order.update = 'acknowledged';
  };

  const run = async (client: number) => {
    const own: WrittenOrder[] = [];
    while (!isStopping) {
      const waiting = own.find(({ id, update }) => id !== undefined && update === 'none');
      if (waiting && random() < 0.4) await update(waiting);
      else {
        const mark = `${client}-${own.length}`;
        const details = Math.floor(random() * (PRODUCTS + 1));
        const order: WrittenOrder = { mark, details, id: undefined, update: 'none' };
        own.push(order);
        orders.push(order);
        await insert(order);
      }
    }
  };

  const running = Array.from({ length: count }, (_, client) => run(client));
  return {
    orders,
    refusals,
    get acknowledged() {
      return acknowledged;
    },
    get unanswered() {
      return unanswered;
    },
    stop: async () => {
      isStopping = true;
      await Promise.all(running);
    },
  };
}

type Outcome =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'lost' }
  | { readonly kind: 'refusal'; readonly text: string };

async function send({ base }: Program, query: string, data: unknown): Promise<Outcome> {
  try {
    const response = await fetch(`${base}/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, data: JSON.stringify(data) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await response.text();
    if (response.ok) return { kind: 'answer', value: JSON.parse(text) };
    if (DOWN.has(response.status)) return { kind: 'lost' };
    return { kind: 'refusal', text: `${response.status} ${query} ${text}` };
  } catch {
    return { kind: 'lost' };
  }
}
