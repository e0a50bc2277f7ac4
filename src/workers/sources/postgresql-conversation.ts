/**
 * One stretch of the extended query protocol on a connection, from its first message to the
 * server's ReadyForQuery: rounds of steps, each step a Bind and an Execute. It is pg's submittable:
 * pg reads the socket and calls it message by message, and parses no value.
 */
import type pg from 'pg';
import type { Underway } from './cancel-until-answered.js';
import { postgresqlError } from './postgresql-errors.js';
import type { Fields } from '../../engine/index.js';
import type { TappedClient } from './postgresql-client.js';
import type { RowTap } from './row-tap.js';
import type { ByteSink, RowSink } from './source.js';
import { SourceError } from './source-error.js';

/** Who takes the rows of a step: as texts, or as bytes. */
export type StepSink =
  | { readonly kind: 'fields'; readonly take: RowSink }
  | { readonly kind: 'bytes'; readonly take: ByteSink; readonly keeps: boolean };

/** What is written at once, and who takes the rows of each step in it. */
export interface Round {
  readonly bytes: Buffer;
  readonly sinks: readonly StepSink[];
  /** Whether the bytes end with Sync. */
  readonly last: boolean;
  /** Takes the number of rows that each step wrote, as its tag tells. */
  readonly counts?: number[];
}

interface Waiting {
  /** `suspended`: the last step has more rows. */
  readonly resolve: (suspended: boolean) => void;
  readonly reject: (error: unknown) => void;
}

const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const drop: StepSink = { kind: 'bytes', take: () => undefined, keeps: false };

export class Conversation implements pg.Submittable, Underway {
  readonly #connection: pg.Connection;
  readonly #tap: RowTap | undefined;
  #sinks: readonly StepSink[] = [];
  #takeFields: RowSink = () => undefined;
  #counts: number[] | undefined;
  #step = 0;
  #suspended = false;
  #synced = false;
  #isOver = false;
  #isDropped = false;
  #failure: unknown;
  #waiting: Waiting | undefined;
  readonly #overListeners: (() => void)[] = [];
  readonly #answerListeners: (() => void)[] = [];

  constructor({ connection, tap }: TappedClient) {
    this.#connection = connection;
    this.#tap = tap;
  }

  /** Whether the server has answered everything, for good. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves with the end of the conversation. */
  whenOver(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      this.#overListeners.push(resolve);
    });
  }

  /** Whether the server owes an answer. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  /** Resolves with the answers to the round that runs, or its failure. */
  whenAnswered(): Promise<void> {
    if (!this.isWaiting) return Promise.resolve();
    return new Promise((resolve) => {
      this.#answerListeners.push(resolve);
    });
  }

  /**
   * Writes a round and waits for its answers: of the last round, and of one that fails, up to
   * ReadyForQuery. Resolves to whether its last step has more rows than it was asked for.
   */
  round(round: Round): Promise<boolean> {
    if (this.#isOver) return Promise.reject(postgresqlError(this.#failure));
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#sinks = round.sinks;
      this.#step = 0;
      this.#useSink(round.sinks[0]);
      this.#counts = round.counts;
      this.#synced = round.last;
      this.#connection.stream.write(round.bytes);
    });
  }

  /** Throws away all rows that are still to come. */
  dropRows(): void {
    this.#isDropped = true;
    this.#useSink(undefined);
  }

  /** Ends the conversation without a further round. */
  sync(): void {
    if (this.#synced || this.#isOver) return;
    this.#synced = true;
    if (this.#connection.stream.writable) this.#connection.stream.write(SYNC);
  }

  /** Ends the conversation by messages that undo what it has written. */
  rollBack(bytes: Buffer): void {
    if (this.#synced || this.#isOver) return;
    this.#synced = true;
    if (this.#connection.stream.writable) this.#connection.stream.write(bytes);
  }

  /** The server is ready for another conversation. */
  ready(): void {
    this.#isOver = true;
    if (this.#tap) this.#tap.sink = undefined;
    this.#settle();
    for (const listener of this.#overListeners) listener();
  }

  /** The connection is gone. */
  died(error: unknown): void {
    this.#failure ??= error;
    this.ready();
  }

  submit(): void {
    // The first round writes by itself: pg's part is to route the answers here.
  }

  handleDataRow(message: { readonly fields: Fields }): void {
    try {
      this.#takeFields(message.fields);
    } catch (error) {
      this.#sinkFailed(error);
    }
  }

  handleCommandComplete(message: { readonly text: string }): void {
    this.#counts?.push(Number(message.text.slice(message.text.lastIndexOf(' ') + 1)));
    this.#endStep(false);
  }

  handlePortalSuspended(): void {
    this.#endStep(true);
  }

  handleEmptyQuery(): void {
    this.#endStep(false);
  }

  /** A message of the server, after which it reads on at the next Sync; or a broken connection. */
  handleError(error: unknown): void {
    this.#failure ??= error;
    this.sync();
  }

  handleRowDescription(): void {
    // Never asked for: the plan knows its columns.
  }

  handleReadyForQuery(): void {
    // `ready` is called for failed conversations, too, which pg has forgotten by then.
  }

  handleCopyInResponse(): void {
    this.handleError(new SourceError('internal'));
  }

  handleCopyData(): void {
    this.handleError(new SourceError('internal'));
  }

  #endStep(suspended: boolean): void {
    this.#step += 1;
    this.#suspended = suspended;
    const next = this.#sinks[this.#step];
    if (next) this.#useSink(next);
    else if (!this.#synced) this.#settle();
  }

  #useSink(wanted: StepSink | undefined): void {
    const sink = this.#isDropped ? drop : (wanted ?? drop);
    if (sink.kind === 'fields') this.#takeFields = sink.take;
    if (!this.#tap) return;
    const isBytes = sink.kind === 'bytes';
    this.#tap.sink = isBytes ? { take: this.#guarded(sink.take), keeps: sink.keeps } : undefined;
  }

  /** What a sink throws ends the step, and must not reach the socket's reader. */
  #guarded(take: ByteSink): ByteSink {
    return (bytes, start) => {
      try {
        take(bytes, start);
      } catch (error) {
        this.#sinkFailed(error);
      }
    };
  }

  #sinkFailed(error: unknown): void {
    this.#failure = error;
    this.dropRows();
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (this.#failure === undefined) waiting?.resolve(this.#suspended);
    else waiting?.reject(postgresqlError(this.#failure));
    if (this.#answerListeners.length === 0) return;
    for (const listener of this.#answerListeners.splice(0)) listener();
  }
}
