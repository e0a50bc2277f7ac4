/** A worker in this thread, and the gateway's side of its port. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import {
  loadSchema,
  type CompiledQuery,
  type Problem,
  type RowsForm,
} from '../../src/engine/index.js';
import { type Context, createContext } from '../../src/workers/context.js';
import type {
  TransactionOrder,
  WorkerContext,
  WorkerReply,
  WorkerRequest,
} from '../../src/workers/protocol.js';
import { AnswerMemory } from '../../src/workers/execute/answer-memory.js';
import { Server } from '../../src/workers/server.js';
import { driverOf } from '../support/drivers.js';

/** The settings of a worker except the schema. Tests change the ones that they test. */
export const settings: Omit<WorkerContext, 'schema'> = {
  connectionsPerSource: 4,
  longReadsMax: 2,
  shortActivity: new SharedArrayBuffer(4),
  preparedStatements: true,
  batching: 'measured',
  statementTimeoutMs: 20_000,
  connectionWaitMs: 20_000,
  expectedWaitMs: 0,
  connectTimeoutMs: 5000,
  rowsMax: 0,
  countsRows: true,
  plansMax: 100,
  planBytesMax: 1 << 20,
  streamWindowBytes: 1 << 20,
  transactionRetries: 3,
  transactionTimeoutMs: 20_000,
  transactionAnswerBytesMax: 1 << 20,
  idempotencyMs: 60_000,
  strictData: false,
  slowMs: 0,
  limits: { expressionLengthMax: 65_536, nestingMax: 64, includeDepthMax: 8 },
};

/** So little that some answers have no room there. */
export const MEMORY_BYTES = 4096;

type Answers = Extract<WorkerReply, { readonly type: 'answers' }>;

/** Replies that belong to no request. */
type Unasked = Extract<WorkerReply, { readonly type: 'estimate' | 'hello' | 'load' | 'tallies' }>;
const unasked: ReadonlySet<string> = new Set<Unasked['type']>([
  'estimate',
  'hello',
  'load',
  'tallies',
]);

/** A reply to one request. */
export type TestReply =
  | Exclude<WorkerReply, Answers | Unasked>
  | { readonly type: 'whole'; readonly id: number; readonly bytes: Uint8Array };

/** Whether a reply belongs to no request. */
export function isUnasked(reply: WorkerReply): reply is Unasked {
  return unasked.has(reply.type);
}

function singly(reply: WorkerReply, memory: SharedArrayBuffer): TestReply[] {
  if (isUnasked(reply)) return [];
  if (reply.type !== 'answers') return [reply];
  const { ids, ends, bytes } = reply;
  const isShared = typeof bytes === 'number';
  const answers = isShared ? new Uint8Array(memory, bytes).slice(0, ends.at(-1)) : bytes;
  if (isShared) Atomics.add(new Int32Array(memory, 0, 1), 0, 1);
  return ids.map((id, index) => ({
    type: 'whole',
    id,
    bytes: answers.subarray(ends[index - 1] ?? 0, ends[index]),
  }));
}

/** An answer that was received to its end. */
export interface Received {
  readonly text: string;
  readonly parts: number;
}

/** A reply `failed`, thrown as an error. */
class Failed extends Error {
  readonly problem: Problem;
  /** Whether parts of the answer had arrived before. */
  readonly afterParts: boolean;

  constructor(problem: Problem, afterParts: boolean) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
    this.afterParts = afterParts;
  }
}

export interface Execution {
  readonly data?: unknown;
  readonly form?: RowsForm;
  readonly view?: string | undefined;
  /** Called with the bytes of each part; the credit is granted when it resolves. Default: at once. */
  readonly onPart?: (bytes: Uint8Array) => Promise<void> | void;
}

/** A query and its data. */
export type TestStep = readonly [query: string, data?: unknown];

/** What a transaction requests beside its steps. */
export type TransactionChanges = Partial<Omit<TransactionOrder, 'steps'>>;

/** The gateway's side of a worker's port. */
export class TestGateway {
  /** Called with the replies that belong to no request. */
  onUnasked: (reply: Unasked) => void = () => undefined;
  readonly #port: MessagePort;
  readonly #listeners = new Map<number, (reply: TestReply) => void>();
  readonly #plans = new Map<string, { readonly planId: number; readonly plan: CompiledQuery }>();
  #lastId = 0;

  constructor(port: MessagePort, memory: SharedArrayBuffer) {
    this.#port = port;
    port.on('message', (replies: readonly WorkerReply[]) => {
      for (const reply of replies) if (isUnasked(reply)) this.onUnasked(reply);
      const single = replies.flatMap((reply) => singly(reply, memory));
      for (const reply of single) this.#listeners.get(reply.id)?.(reply);
    });
  }

  post(...requests: readonly WorkerRequest[]): void {
    this.#port.postMessage(requests);
  }

  async compile(expression: string, view = 'default'): Promise<CompiledQuery> {
    const known = this.#plans.get(expression);
    if (known?.plan.view === view) return known.plan;
    const id = this.#nextId();
    this.post({ type: 'compile', id, expression, stage: 'default', view });
    const reply = await this.#reply(id);
    if (reply.type !== 'compiled') throw new Error(`unexpected ${reply.type}`);
    this.#plans.set(expression, { planId: this.#nextId(), plan: reply.plan });
    return reply.plan;
  }

  async execute(expression: string, execution: Execution = {}): Promise<Received> {
    await this.compile(expression, execution.view);
    return this.start(expression, execution).received;
  }

  /** The rows of an answer. */
  async rows(expression: string, data?: unknown, view?: string): Promise<unknown> {
    return JSON.parse((await this.execute(expression, { data, view })).text);
  }

  /** Starts a compiled expression, and returns its id for cancelling it. */
  start(expression: string, execution: Execution = {}) {
    const known = this.#plans.get(expression);
    if (!known) throw new Error(`${expression} is not compiled`);
    const id = this.#nextId();
    const received = this.#receive(id, execution);
    // A test that cancels a request need not handle its outcome.
    received.catch(() => undefined);
    const { data, form } = execution;
    const text = dataText(data);
    const items = [id, known.planId, form, text];
    this.post({ type: 'plan', ...known }, { type: 'executions', items });
    return { id, received };
  }

  /** Runs steps in one transaction. */
  async transact(steps: readonly TestStep[], options: TransactionChanges = {}): Promise<Received> {
    for (const [query] of steps) await this.compile(query);
    return this.startTransaction(steps, options).received;
  }

  /** The answers of the steps of a transaction. */
  async answers(steps: readonly TestStep[], options: TransactionChanges = {}): Promise<unknown> {
    return JSON.parse((await this.transact(steps, options)).text);
  }

  /** Starts compiled steps as one transaction, and returns its id for cancelling it. */
  startTransaction(steps: readonly TestStep[], options: TransactionChanges = {}) {
    const id = this.#nextId();
    const received = this.#receive(id, {});
    received.catch(() => undefined);
    const orders = steps.map(([query, data]) => {
      const known = this.#plans.get(query);
      if (!known) throw new Error(`${query} is not compiled`);
      return { ...known, data: data === undefined ? undefined : dataText(data) };
    });
    const defaults = { readOnly: false, isSingle: false, form: 'compact' } as const;
    const order = { ...defaults, ...options, steps: orders };
    this.post({ type: 'transaction', id, order });
    return { id, received };
  }

  async probe(tables: boolean): Promise<boolean> {
    const id = this.#nextId();
    this.post({ type: 'probe', id, ...(tables && { stage: 'default' }) });
    const reply = await this.#reply(id);
    if (reply.type !== 'probed') throw new Error(`unexpected ${reply.type}`);
    return reply.ok;
  }

  /** Calls `listener` with each reply for that id. */
  onReply(id: number, listener: (reply: TestReply) => void): void {
    this.#listeners.set(id, listener);
  }

  cancel(id: number): void {
    this.post({ type: 'cancel', id });
  }

  /** Cancels all requests that have not been answered. */
  cancelAll(): void {
    for (const id of this.#listeners.keys()) this.cancel(id);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #reply(id: number): Promise<TestReply> {
    return new Promise((resolve, reject) => {
      this.#listeners.set(id, (reply) => {
        this.#listeners.delete(id);
        if (reply.type === 'failed') reject(new Failed(reply.problem, false));
        else resolve(reply);
      });
    });
  }

  #receive(id: number, { onPart }: Execution): Promise<Received> {
    return new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = [];
      let parts = 0;
      const end = (): void => {
        this.#listeners.delete(id);
        resolve({ text: Buffer.concat(chunks).toString('utf8'), parts });
      };
      const takePart = async (bytes: Uint8Array, last: boolean): Promise<void> => {
        parts += 1;
        if (onPart) await onPart(bytes);
        else chunks.push(bytes);
        this.post({ type: 'credit', id, bytes: bytes.byteLength });
        if (last) end();
      };
      this.#listeners.set(id, (reply) => {
        if (reply.type === 'part') return void takePart(reply.bytes, reply.last).catch(reject);
        if (reply.type === 'whole' || reply.type === 'page') {
          chunks.push(reply.bytes);
          return end();
        }
        this.#listeners.delete(id);
        if (reply.type === 'failed') return reject(new Failed(reply.problem, parts > 0));
        return reject(new Error(`unexpected ${reply.type}`));
      });
    });
  }
}

function dataText(data: unknown): string | undefined {
  return typeof data === 'string' ? data : JSON.stringify(data);
}

export interface TestWorker {
  readonly gateway: TestGateway;
  readonly context: Context;
  /** Lets the worker finish its requests, and closes its pools. */
  close(): Promise<void>;
}

/** Starts a worker in this thread. */
export function startWorker(schema: unknown, changes: Partial<WorkerContext> = {}): TestWorker {
  const context = createContext({ ...settings, schema: loadSchema(schema), ...changes }, driverOf);
  const { port1, port2 } = new MessageChannel();
  const memory = new SharedArrayBuffer(MEMORY_BYTES);
  const server = new Server(port2, new AnswerMemory(memory), context);
  const gateway = new TestGateway(port1, memory);
  return {
    gateway,
    context,
    async close() {
      gateway.post({ type: 'close' });
      await server.ended;
      server.close();
      await Promise.all(context.sources.all.map((source) => source.close()));
      port1.close();
    },
  };
}

/** Starts a worker for this work, and closes it. Failed work leaves no requests that would keep it open. */
export async function useWorker<Result>(
  schema: unknown,
  changes: Partial<WorkerContext>,
  work: (gateway: TestGateway, worker: TestWorker) => Promise<Result>,
): Promise<Result> {
  const worker = startWorker(schema, changes);
  try {
    return await work(worker.gateway, worker);
  } catch (error) {
    worker.gateway.cancelAll();
    throw error;
  } finally {
    await worker.close();
  }
}
