/** How answers of the workers come back to those who asked: calls, not promises. */
import type { CompiledQuery, Problem } from '../../engine/index.js';
import type { IgnoredMembers, ImportCount, BatchingCounts } from '../../workers/protocol.js';

/** What failed, and for faults of ours what is logged of it. */
export interface Failure {
  readonly problem: Problem;
  readonly stack?: string | undefined;
}

/** Receives rows: one `whole`, or parts, or a failure, which may also break off the parts. */
export interface AnswerSink {
  whole(bytes: Uint8Array): void;
  part(bytes: Uint8Array<ArrayBuffer>, last: boolean): void;
  failed(failure: Failure): void;
}

export interface CompileSink {
  compiled(plan: CompiledQuery): void;
  failed(failure: Failure): void;
}

export interface SplitSink {
  split(body: SplitBody): void;
  failed(failure: Failure): void;
}

/** The body without its data, for each of which `text` has a mark. */
export interface SplitBody {
  readonly text: string;
  readonly cuts: readonly Uint8Array<ArrayBuffer>[];
}

export interface ImportSink {
  /** The worker has room for more of the body. */
  ready(): void;
  imported(counts: readonly ImportCount[], ignored: IgnoredMembers): void;
  failed(failure: Failure): void;
}

export interface ProbeSink {
  probed(ok: boolean): void;
  failed(failure: Failure): void;
}

export interface CountSink {
  counted(counts: BatchingCounts): void;
  failed(failure: Failure): void;
}

/** Any of them, as the replies find it. */
export type Sink = Pick<CompileSink, 'failed'> &
  Partial<AnswerSink & CompileSink & SplitSink & ImportSink & ProbeSink & CountSink>;
