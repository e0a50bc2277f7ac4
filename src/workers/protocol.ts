/**
 * The messages between the gateway thread and a worker: types and tags only. They travel over one
 * MessagePort for each worker; those of one event-loop iteration are one array in one post.
 */
import type { CompiledQuery, CompileLimits, Problem, RowsForm, Schema } from '../engine/index.js';
import type { MessagePort } from 'node:worker_threads';

/** What every worker receives when it starts (Piscina's workerData): plain data. */
export interface WorkerContext {
  /** The schema in force, with a connection for every source. */
  readonly schema: Schema;
  /** The most connections that this worker opens to each source. */
  readonly connectionsPerSource: number;
  /**
   * The most long reads of a source that this worker runs at a time, while any worker answers short
   * ones. Less than one: it runs one for this share of the time.
   */
  readonly longReadsMax: number;
  /** Four bytes of shared memory, in which workers tell each other that they answer short statements. */
  readonly shortActivity: SharedArrayBuffer;
  readonly preparedStatements: boolean;
  readonly batching: Batching;
  /** How long a statement may run without sending anything, in milliseconds; 0: any time. */
  readonly statementTimeoutMs: number;
  /** How long a request may wait for a connection, in milliseconds. */
  readonly connectionWaitMs: number;
  /** A request that is expected to wait longer, in milliseconds, may be refused at once; 0: none is. */
  readonly expectedWaitMs: number;
  /** How long opening a connection may take, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Whether the gateway counts the rows of answers. */
  readonly countsRows: boolean;
  /** The most rows of a result; 0: no limit. More rows are an error. */
  readonly rowsMax: number;
  readonly plansMax: number;
  /** The most memory for plans in a worker, by their own estimate. */
  readonly planBytesMax: number;
  /** The most bytes of a streamed answer that are sent before the gateway gives credit. */
  readonly streamWindowBytes: number;
  /** How often a transaction is retried after a conflict. */
  readonly transactionRetries: number;
  /** The time limit of a transaction with all its attempts, in milliseconds; 0: none. */
  readonly transactionTimeoutMs: number;
  /** The largest answer of a transaction, which is buffered until the commit. */
  readonly transactionAnswerBytesMax: number;
  /** How long the answers of requests with an idempotency key are stored, in milliseconds. */
  readonly idempotencyMs: number;
  /** Whether members of the data that a query does not use are errors. */
  readonly strictData: boolean;
  readonly limits: CompileLimits;
  /** A request that takes longer, in milliseconds, is measured; 0: none is. */
  readonly slowMs: number;
}

/**
 * Whether waiting requests of one plan run as one statement, and waiting writes share a commit: if
 * that was measured to be cheaper, whenever possible (for tests), or never.
 */
export type Batching = 'measured' | 'always' | 'off';

/** The only Piscina task of a worker; it lasts as long as the worker serves. */
export interface AttachTask {
  readonly port: MessagePort;
  /**
   * The memory for whole answers. In its first four bytes, the gateway counts the `answers` messages
   * whose bytes there it no longer needs.
   */
  readonly memory: SharedArrayBuffer;
}

/**
 * An execution is four consecutive values: the request's id, the plan's id, the form of the rows
 * (undefined for `compact`) and the data. Flat arrays of scalars cross threads at a third of the
 * cost of objects.
 */
export type ExecutionItem = number | RequestData;

/** The JSON text of a request's data; in UTF-8 if it comes from a large body. */
export type RequestData = string | Uint8Array | undefined;

/** Executions that form one transaction. */
export interface TransactionOrder {
  readonly steps: readonly StepOrder[];
  readonly isolation?: 'readCommitted' | 'repeatableRead' | 'serializable' | undefined;
  /** Whether the transaction must not write. */
  readonly readOnly: boolean;
  /** Whether the answer is that of the only step instead of a list. */
  readonly isSingle: boolean;
  readonly form: RowsForm;
  readonly requestKey?: RequestKey;
  /** PostgreSQL settings that apply only to this transaction. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Limits that apply in addition to those of the worker. */
  readonly limits?: TransactionLimits;
  /** Whether the answer is to be preceded by its `timing`. */
  readonly isTimed?: boolean;
  /** A comment for all statements. */
  readonly comment?: string;
  /** Set if the only step is explained instead: as it would run, or as it has run. */
  readonly explains?: 'planned' | 'run';
}

/** The idempotency key of a request, and the fingerprint that distinguishes it from other requests. */
export interface RequestKey {
  readonly key: string;
  readonly fingerprint: string;
}

/** Absent limits are those of the worker. */
export interface TransactionLimits {
  /** The most rows of the answer of a step. */
  readonly rows?: number;
  /** The most milliseconds that it may take. */
  readonly timeMs?: number;
}

export interface StepOrder {
  readonly planId: number;
  /** Sent if the worker may not have it. */
  readonly plan?: CompiledQuery;
  readonly data: RequestData;
}

/** From the gateway to a worker. */
export type WorkerRequest =
  | {
      readonly type: 'compile';
      readonly id: number;
      readonly expression: string;
      readonly stage: string;
      readonly view: string;
      /** Set for the plan that counts the rows of the query without its page. */
      readonly isTotal?: true;
    }
  /** A large body, from which the data is to be cut out. */
  | { readonly type: 'body'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** A plan, sent before its first execution on this worker. */
  | { readonly type: 'plan'; readonly planId: number; readonly plan: CompiledQuery }
  /** The special properties of the next execution. */
  | ({ readonly type: 'mark'; readonly id: number } & ExecutionMark)
  /** The executions of an iteration, four values each (see {@link ExecutionItem}). */
  | { readonly type: 'executions'; readonly items: readonly ExecutionItem[] }
  | { readonly type: 'transaction'; readonly id: number; readonly order: TransactionOrder }
  /** Opens an import; its body follows in `chunk` messages as the worker makes room. */
  | ({ readonly type: 'import'; readonly id: number } & ImportRequest)
  | {
      readonly type: 'chunk';
      readonly id: number;
      readonly bytes: Uint8Array;
      readonly last: boolean;
    }
  | ({ readonly type: 'export'; readonly id: number } & ExportRequest)
  /** Asks whether every source answers or, with a stage, whether each of its sources has its tables. */
  | { readonly type: 'probe'; readonly id: number; readonly stage?: string }
  /** Another worker has measured that the reads of the plan are short. */
  | { readonly type: 'short'; readonly planId: number }
  /** Asks whether the worker takes messages. */
  | { readonly type: 'hello' }
  /** Asks for the worker's counters, after the `tallies` so far. */
  | { readonly type: 'count'; readonly id: number }
  /** The client has disconnected: stops the request. */
  | { readonly type: 'cancel'; readonly id: number }
  /** The gateway has passed on this many bytes of a streamed answer, and returns a buffer, perhaps of another answer. */
  | {
      readonly type: 'credit';
      readonly id: number;
      readonly bytes: number;
      readonly buffer?: ArrayBuffer;
    }
  /** Another schema is in force, and only requests that have begun will follow: connections that are not in use are closed. */
  | { readonly type: 'retire' }
  /** Finishes what runs, closes the connections and ends the attach task. */
  | { readonly type: 'close' };

export interface ImportRequest {
  readonly stage: string;
  readonly view: string;
  /** Whether members that the schema does not know are an error. */
  readonly strict: boolean;
}

export interface ExportRequest {
  readonly stage: string;
  readonly view: string;
  /** Whether read-only entities are exported, too. */
  readonly withReadOnly: boolean;
  /** Whether the document is indented. */
  readonly pretty: boolean;
}

/** A body without its data, and the data. */
export interface SplitBody {
  /** The body with a mark in place of each value that was cut out: U+0000 and its number. */
  readonly text: string;
  /** The JSON texts of the data, in UTF-8. */
  readonly cuts: readonly Uint8Array<ArrayBuffer>[];
}

/** From a worker to the gateway. `bytes` are transferred. */
export type WorkerReply =
  | { readonly type: 'compiled'; readonly id: number; readonly plan: CompiledQuery }
  | ({ readonly type: 'split'; readonly id: number } & SplitBody)
  /**
   * Whole answers, one after the other in `bytes`; that of `ids[i]` ends at `ends[i]`. If `bytes` is
   * a number, they begin there in the memory of the worker. If rows are counted, it has `rows[i]`.
   */
  | {
      readonly type: 'answers';
      readonly ids: readonly number[];
      readonly ends: readonly number[];
      readonly bytes: Uint8Array | number;
      readonly rows: readonly number[] | undefined;
    }
  /** A part of a streamed answer, with this many rows; `last` ends it. */
  | {
      readonly type: 'part';
      readonly id: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly rows: number;
      readonly last: boolean;
    }
  /** A whole answer, and the cursor of the next page. */
  | {
      readonly type: 'page';
      readonly id: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly rows: number;
      readonly next: string;
    }
  | ({ readonly type: 'imported'; readonly id: number } & Imported)
  | ({ readonly type: 'probed'; readonly id: number } & Probed)
  | { readonly type: 'counted'; readonly id: number; readonly report: WorkerReport }
  /** Where the time of a request went. Precedes its answer, or the first part of a streamed one. */
  | ({ readonly type: 'timing'; readonly id: number } & Timing)
  /** The counts of plans since the last report. */
  | { readonly type: 'tallies'; readonly tallies: readonly PlanTally[] }
  /** The worker has used this many bytes of an import's body. */
  | { readonly type: 'taken'; readonly id: number; readonly bytes: number }
  /**
   * How much of the worker is used: of its thread, or, while processors are idle, of its connections. Above 1, others
   * should help.
   */
  | { readonly type: 'load'; readonly load: number }
  /** Whether the plan's reads are short, and so are faster together on few workers. */
  | { readonly type: 'estimate'; readonly planId: number; readonly isShort: boolean }
  /** The worker takes messages. */
  | { readonly type: 'hello' }
  /** The worker no longer has the plan; it must be sent again. */
  | { readonly type: 'planMissing'; readonly id: number }
  /** The answer is this problem. After the first byte, the stream ends with it. */
  | {
      readonly type: 'failed';
      readonly id: number;
      readonly problem: Problem;
      /** For an internal error: logged, and never sent to the client. */
      readonly stack?: string;
    };

/** Counters of a worker's batcher since the worker started. */
export interface BatchingCounts {
  /** Statements for several requests. */
  readonly batches: number;
  /** Requests that were answered by such statements. */
  readonly batched: number;
  /** Requests with a statement of their own. */
  readonly single: number;
  /** Batches that failed, after which their requests ran by themselves. */
  readonly failed: number;
  /** The total time that requests waited for their batches, in milliseconds. */
  readonly waitedMs: number;
}

export interface WorkerCounts extends BatchingCounts {
  /** Cancelled statements that a database is still running right now. */
  readonly runaways: number;
}

export interface WorkerReport {
  readonly counts: WorkerCounts;
  readonly pools: readonly PoolState[];
}

export interface PoolState {
  readonly source: string;
  /** The most connections. */
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
  /** How long the first of them has been waiting, in milliseconds. */
  readonly waitingMs: number;
}

/** The state of the sources that were asked. */
export interface Probed {
  /** Whether every source answers, or has its tables. */
  readonly ok: boolean;
  /** The sources that answer, but do not accept writes. */
  readonly readOnly: readonly string[];
  readonly sources: readonly SourceState[];
}

/** Whether a source answers. */
export interface SourceState {
  readonly name: string;
  readonly state: 'ready' | 'read-only' | 'away';
  /** Why it is away: as a client may know it, and as the database or the network reported it. */
  readonly cause?: string | undefined;
  readonly reason?: string | undefined;
}

export interface ExecutionMark {
  /** Whether its answer is to be preceded by its `timing`. */
  readonly isTimed: boolean;
  /** A comment for its statements, which then run alone and are not prepared. */
  readonly comment?: string | undefined;
}

/** Where the time of a request in a worker went, in milliseconds. */
export interface Timing {
  /** Until its first statement began; absent if that is not known. */
  readonly queueMs?: number | undefined;
  /** From then on, until its answer or the first part of it. */
  readonly databaseMs: number;
  /** The rows that it returned or wrote; absent if that is not known yet. */
  readonly rows?: number | undefined;
}

/** The counts of a plan in a worker. */
export interface PlanTally {
  readonly planId: number;
  readonly requests: number;
  /** The statements, or runs of statements, that answered them. */
  readonly statements: number;
  readonly rows: number;
  /** The time of the statements. */
  readonly databaseMs: number;
}

export interface Imported {
  /** The rows of each entity, in the order of the document. */
  readonly counts: readonly ImportCount[];
  readonly ignored: IgnoredMembers;
}

/** How often each unknown member occurred, by entity and name: `Categories.description`. */
export type IgnoredMembers = Readonly<Record<string, number>>;

export interface ImportCount {
  readonly entity: string;
  readonly rows: number;
}
