/** How replies of the workers reach their receivers: by calls instead of promises. */
import type { CompiledQuery, Problem } from '../../engine/index.js';
import type {
  IgnoredMembers,
  ImportCount,
  SourceState,
  SplitBody,
  Timing,
  WorkerReport,
} from '../../workers/protocol.js';

/** A failure, with the details of an internal error for the log. */
export interface Failure {
  readonly problem: Problem;
  readonly stack?: string | undefined;
}

/** Counts the rows that answers contain or that were written. */
export interface RowCount {
  rows: number;
}

/** Receives rows: one `whole`, or parts, or a failure, which may also come after some parts. */
export interface AnswerSink {
  /** The id under which its request is logged, and when it arrived, by `performance.now()`. */
  readonly requestId?: string;
  readonly startedAt?: number;
  /** Whether `timed` is to be called before the answer. */
  readonly isTimed?: boolean;
  timed?(timing: Timing): void;
  /** A comment for the statements of the request. */
  readonly comment?: string | undefined;
  /** Where the rows of the answer are counted. */
  readonly counts?: RowCount | undefined;
  /** The bytes may change after the call. `next`: the cursor of the next page. */
  whole(bytes: Uint8Array, next?: string): void;
  part(bytes: Uint8Array<ArrayBuffer>, last: boolean): void;
  failed(failure: Failure): void;
  /** Called instead of `whole`, without a cursor, if it exists. The bytes are valid during the call. */
  slice?(bytes: Uint8Array, start: number, end: number): void;
}

export interface CompileSink {
  compiled(plan: CompiledQuery): void;
  failed(failure: Failure): void;
}

export interface ImportSink {
  /** Where the imported rows are counted. */
  readonly counts?: RowCount | undefined;
  /** Called when the worker has room for more of the body. */
  ready(): void;
  imported(counts: readonly ImportCount[], ignored: IgnoredMembers): void;
  failed(failure: Failure): void;
}

/** Any of the sinks; a reply calls a method that only some of them have. */
export interface Sink extends Partial<AnswerSink & CompileSink & ImportSink> {
  split?(body: SplitBody): void;
  /** Whether all sources answer, which of them do not accept writes, and the state of each. */
  probed?(ok: boolean, readOnly: readonly string[], sources: readonly SourceState[]): void;
  counted?(report: WorkerReport): void;
  failed(failure: Failure): void;
}
