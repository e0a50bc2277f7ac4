/**
 * A worker for tests of batches: it gets requests in one message, and returns outcomes as comparable
 * strings.
 */
import { MessageChannel } from 'node:worker_threads';
import {
  loadSchema,
  type Connection,
  type DialectName,
  type RowsForm,
} from '../../../src/engine/index.js';
import { createContext } from '../../../src/workers/context.js';
import type {
  ExecutionItem,
  BatchingCounts,
  WorkerContext,
  WorkerRequest,
} from '../../../src/workers/protocol.js';
import { AnswerMemory } from '../../../src/workers/execute/answer-memory.js';
import { Server } from '../../../src/workers/server.js';
import { MEMORY_BYTES, settings, TestGateway, type TestReply } from '../test-worker.js';
import { batchSchema } from './batch-schema.js';
import { driverOf } from '../../support/drivers.js';

/** A request of a plan. `data` is sent unchanged if it is a string. */
export interface Ask {
  readonly plan: number;
  readonly data?: unknown;
  readonly pretty?: boolean;
  /** Instead of `pretty`. */
  readonly form?: RowsForm;
  /** A comment for its statements. */
  readonly comment?: string;
}

export interface Asked {
  readonly id: number;
  /** The text of the answer, or `! code: detail`. */
  readonly outcome: Promise<string>;
}

export interface BatchWorker {
  readonly counters: BatchingCounts;
  /** Replies to requests that were already answered; there must be none. */
  readonly surplus: number;
  /** Whether the worker has reported that a plan is short, by the number of the plan. */
  readonly shortPlans: ReadonlyMap<number, boolean>;
  /** Creates a separate plan, without statistics. */
  prepare(expression: string): Promise<number>;
  /** Sends requests as one message. */
  ask(asks: readonly Ask[]): readonly Asked[];
  /** The outcomes of requests that are sent as one message. */
  outcomes(asks: readonly Ask[]): Promise<readonly string[]>;
  cancel(...ids: readonly number[]): void;
  close(): Promise<void>;
}

/** Higher than the ids that the gateway of the tests uses. */
const FIRST_ID = 1_000_000;

/** Starts a worker in this thread. */
export function startBatchWorker(
  connection: Connection,
  changes: Partial<WorkerContext> = {},
  dialect: DialectName = 'PostgreSQL',
): BatchWorker {
  const schema = loadSchema(batchSchema(connection, dialect));
  const context = createContext({ ...settings, batching: 'always', schema, ...changes }, driverOf);
  const { port1, port2 } = new MessageChannel();
  const memory = new SharedArrayBuffer(MEMORY_BYTES);
  const server = new Server(port2, new AnswerMemory(memory), context);
  const gateway = new TestGateway(port1, memory);
  let lastId = FIRST_ID;
  let surplus = 0;
  const shortPlans = new Map<number, boolean>();
  gateway.onUnasked = (reply) => {
    if (reply.type === 'estimate') shortPlans.set(reply.planId, reply.isShort);
  };
  const onSurplus = (): void => {
    surplus += 1;
  };

  const ask = (asks: readonly Ask[]): readonly Asked[] => {
    const items: ExecutionItem[] = [];
    const marks: WorkerRequest[] = [];
    const asked = asks.map(({ plan, data, pretty = false, form, comment }) => {
      lastId += 1;
      if (comment !== undefined) marks.push({ type: 'mark', id: lastId, isTimed: false, comment });
      items.push(
        lastId,
        plan,
        form ?? (pretty ? 'pretty' : undefined),
        typeof data === 'string' ? data : JSON.stringify(data),
      );
      return { id: lastId, outcome: outcomeOf(gateway, lastId, onSurplus) };
    });
    gateway.post(...marks, { type: 'executions', items });
    return asked;
  };
  return {
    get counters() {
      return { ...server.report.counts };
    },
    get surplus() {
      return surplus;
    },
    shortPlans,
    async prepare(expression) {
      const plan = await gateway.compile(expression);
      lastId += 1;
      gateway.post({ type: 'plan', planId: lastId, plan });
      return lastId;
    },
    ask,
    outcomes: (asks) => Promise.all(ask(asks).map(({ outcome }) => outcome)),
    cancel: (...ids) => gateway.post(...ids.map((id) => ({ type: 'cancel', id }) as const)),
    async close() {
      gateway.post({ type: 'close' });
      await server.ended;
      server.close();
      await Promise.all(context.sources.all.map((source) => source.close()));
      port1.close();
    },
  };
}

function outcomeOf(gateway: TestGateway, id: number, onSurplus: () => void): Promise<string> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = [];
    const end = (outcome: string): void => {
      gateway.onReply(id, onSurplus);
      resolve(outcome);
    };
    gateway.onReply(id, (reply: TestReply) => {
      switch (reply.type) {
        case 'part':
          parts.push(reply.bytes);
          gateway.post({ type: 'credit', id, bytes: reply.bytes.byteLength });
          if (reply.last) end(Buffer.concat(parts).toString('utf8'));
          return;
        case 'whole':
          return end(Buffer.from(reply.bytes).toString('utf8'));
        case 'failed':
          return end(`! ${reply.problem.code}: ${reply.problem.detail}`);
        default:
          return end(`! unexpected ${reply.type}`);
      }
    });
  });
}
