/**
 * What crosses between the gateway thread and a worker: types and tags only. Messages travel over
 * one MessagePort a worker, all of an event-loop turn as one array in one post.
 */
import type { CompiledQuery, CompileLimits, Problem, RowsForm, Schema } from '../engine/index.js';
import type { MessagePort } from 'node:worker_threads';

/** What every worker gets when it starts (Piscina's workerData): plain data. */
export interface WorkerContext {
  /** The schema in force, with a connection for every source. */
  readonly schema: Schema;
  /** Connections that this worker may open to each source. */
  readonly connectionsPerSource: number;
  /** Long reads of a source that this worker may run at a time, while any worker answers short ones. */
  readonly longReadsMax: number;
  /** Four bytes in which the workers tell each other that they answer short statements. */
  readonly shortActivity: SharedArrayBuffer;
  readonly preparedStatements: boolean;
  readonly batching: Batching;
  /** The time limit of a statement, in milliseconds; 0: none. */
  readonly statementTimeoutMs: number;
  /** How long a request may wait for a connection, in milliseconds. */
  readonly connectionWaitMs: number;
  /** How long opening a connection may take, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Rows of a result; 0: no limit. More is an error, never a cut. */
  readonly rowsMax: number;
  /** Plans that a worker keeps ready. */
  readonly plansMax: number;
  /** The memory for plans in a worker, as plans report their size. */
  readonly planBytesMax: number;
  /** Bytes of a streamed answer that may be on their way before the gateway gives credit. */
  readonly streamWindowBytes: number;
  /** How often a transaction begins anew after a collision. */
  readonly transactionRetries: number;
  /** The time limit of a transaction, all attempts together, in milliseconds; 0: none. */
  readonly transactionTimeoutMs: number;
  /** Bytes of the answer of a transaction, which is held until it has committed. */
  readonly transactionAnswerBytesMax: number;
  /** How long the answers of requests with an idempotency key are kept, in milliseconds. */
  readonly idempotencyMs: number;
  readonly limits: CompileLimits;
}

/**
 * Whether requests of one plan that wait run as one statement, and writes that wait share a commit: where
 * that is measured to be cheaper, wherever it can be done (for tests), or not at all.
 */
export type Batching = 'measured' | 'always' | 'off';

/** The one Piscina task of a worker; it lasts as long as the worker serves. */
export interface AttachTask {
  readonly port: MessagePort;
}

/**
 * An execution as four values in a row, because flat arrays of scalars cross threads at a third of
 * the cost of objects: the request's id, the plan's id, the form of the rows (`compact` goes without
 * saying), the JSON text of the data.
 */
export type ExecutionItem = number | RequestData;

/** The JSON text of the data of a request; of a large body, in UTF-8. */
export type RequestData = string | Uint8Array | undefined;

/** A list of executions that are one transaction. */
export interface TransactionOrder {
  readonly steps: readonly StepOrder[];
  readonly isolation?: 'readCommitted' | 'repeatableRead' | 'serializable';
  /** Whether nothing may be written. */
  readonly readOnly: boolean;
  /** Whether the answer is that of the only step, and not the list of all. */
  readonly isSingle: boolean;
  readonly form: RowsForm;
  /** The idempotency key of the request, and the fingerprint that distinguishes it from other requests. */
  readonly requestKey?: { readonly key: string; readonly fingerprint: string };
}

export interface StepOrder {
  readonly planId: number;
  /** Where the worker may not hold it. */
  readonly plan?: CompiledQuery;
  readonly data: RequestData;
}

/** Gateway → worker. */
export type WorkerRequest =
  | {
      readonly type: 'compile';
      readonly id: number;
      readonly expression: string;
      readonly stage: string;
      readonly view: string;
    }
  /** A large body, whose data is to be cut out. */
  | { readonly type: 'body'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** A plan, sent before its first execution on this worker. */
  | { readonly type: 'plan'; readonly planId: number; readonly plan: CompiledQuery }
  /** The executions of a turn: four values each (see {@link ExecutionItem}). */
  | { readonly type: 'executions'; readonly items: readonly ExecutionItem[] }
  | { readonly type: 'transaction'; readonly id: number; readonly order: TransactionOrder }
  /** Opens an import; the body follows in `chunk` messages as the worker asks for it. */
  | {
      readonly type: 'import';
      readonly id: number;
      readonly stage: string;
      readonly view: string;
      /** Whether members that the schema does not know are refused. */
      readonly strict: boolean;
    }
  | {
      readonly type: 'chunk';
      readonly id: number;
      readonly bytes: Uint8Array;
      readonly last: boolean;
    }
  | {
      readonly type: 'export';
      readonly id: number;
      readonly stage: string;
      readonly view: string;
      /** Whether entities that are only read are told as well. */
      readonly withReadOnly: boolean;
      /** Indent by two spaces. */
      readonly pretty: boolean;
    }
  /** Asks whether every source of the stage answers, or (`tables`) whether its tables are there. */
  | {
      readonly type: 'probe';
      readonly id: number;
      readonly stage: string | undefined;
      readonly tables: boolean;
    }
  /** Asks whether the worker takes messages. */
  | { readonly type: 'hello' }
  /** Asks what the worker has counted. */
  | { readonly type: 'count'; readonly id: number }
  /** The client went away: stop what runs for this id. */
  | { readonly type: 'cancel'; readonly id: number }
  /** The gateway has passed on this many bytes of a streamed answer; their buffer comes back. */
  | {
      readonly type: 'credit';
      readonly id: number;
      readonly bytes: number;
      readonly buffer?: ArrayBuffer;
    }
  /** Finish what runs, close the pools, end the attach task. */
  | { readonly type: 'close' };

/** Worker → gateway. `bytes` are transferred. */
export type WorkerReply =
  | { readonly type: 'compiled'; readonly id: number; readonly plan: CompiledQuery }
  /** The body without its data, for each of which `text` has a mark, and these in UTF-8. */
  | {
      readonly type: 'split';
      readonly id: number;
      readonly text: string;
      readonly cuts: readonly Uint8Array<ArrayBuffer>[];
    }
  /** Whole answers, one behind the other in `bytes`; that of `ids[i]` ends at `ends[i]`. */
  | {
      readonly type: 'answers';
      readonly ids: readonly number[];
      readonly ends: readonly number[];
      readonly bytes: Uint8Array;
    }
  /** A part of a streamed answer; `last` ends it. */
  | {
      readonly type: 'part';
      readonly id: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly last: boolean;
    }
  | {
      readonly type: 'imported';
      readonly id: number;
      readonly counts: readonly ImportCount[];
      readonly ignored: IgnoredMembers;
    }
  /** Whether all sources answer, and which of them take no writes. */
  | {
      readonly type: 'probed';
      readonly id: number;
      readonly ok: boolean;
      readonly readOnly: readonly string[];
    }
  | { readonly type: 'counted'; readonly id: number; readonly counts: WorkerCounts }
  /** The worker has used this many bytes of an import's body. */
  | { readonly type: 'taken'; readonly id: number; readonly bytes: number }
  /** Whether the plan's reads are short, so that they are better off together on one worker. */
  | { readonly type: 'estimate'; readonly planId: number; readonly isShort: boolean }
  /** The worker takes messages. */
  | { readonly type: 'hello' }
  /** The worker no longer holds the plan: send it again. */
  | { readonly type: 'planMissing'; readonly id: number }
  /** Before the first byte: the answer is this problem. After it: the stream is broken. */
  | {
      readonly type: 'failed';
      readonly id: number;
      readonly problem: Problem;
      /** Of an internal error: what is logged, never answered. */
      readonly stack?: string;
    };

/** What the batcher of a worker has done since the worker started. */
export interface BatchingCounts {
  /** Statements that served several requests. */
  readonly batches: number;
  /** Requests that such statements served. */
  readonly batched: number;
  /** Requests that had a statement of their own. */
  readonly single: number;
  /** Batches that failed, so that their requests ran by themselves. */
  readonly failed: number;
  /** Milliseconds that requests waited for their batches, in all. */
  readonly waitedMs: number;
}

/** What a worker counts. */
export interface WorkerCounts extends BatchingCounts {
  /** Statements that a database goes on with although they were cancelled; right now. */
  readonly runaways: number;
}

/** How often members came that the schema does not know, by entity and name: `Categories.description`. */
export type IgnoredMembers = Readonly<Record<string, number>>;

/** Rows stored of an entity. */
export interface ImportCount {
  readonly entity: string;
  readonly rows: number;
}
