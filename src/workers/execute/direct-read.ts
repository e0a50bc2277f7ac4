/**
 * A read whose rows are written as they come: of one request, or of a batch in which each request has
 * one row at most. A hot path (bench, "point" and "plans").
 */
import {
  type FetchedBytes,
  RowBytes,
  parameterizeStatement,
  writeList,
} from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import type { RowSink, Step } from '../database/statement.js';
import type { Answer } from './answer.js';
import type { Batch, GroupOfRow } from './batch.js';
import { PART_BYTES } from './part-buffers.js';
import type { Request } from './request.js';
import { RowBudget } from './row-budget.js';
import { RowList } from './row-list.js';
import { giveOutput, takeOutput } from './spare-outputs.js';
import type { Flight, SharedWork } from './shared-connections.js';
import type { ReadHost } from './read-host.js';

/** How a read ended. */
export interface ReadEnd {
  /** The requests have no answers when there is one. */
  readonly error: unknown;
  /** What the database took for all requests together, in milliseconds. */
  readonly serviceMs: number;
  /** Whether the answer, or a part of it, has left already, being too large to share a connection. */
  readonly isLarge: boolean;
  /** Whether some request had more than one row. */
  readonly hasLists: boolean;
}

export interface DirectOptions {
  readonly host: ReadHost;
  readonly expectedMs: number;
  readonly rowsMax: number;
  readonly onEnd: (end: ReadEnd) => void;
  readonly promoted: () => void;
}

/** One request: its rows become parts of a stream when there are many. */
export class SingleRead implements SharedWork, RowSink {
  readonly request: Request;
  readonly steps: readonly Step[];
  readonly expectedMs: number;
  readonly keepsRows = false;
  readonly promoted: () => void;
  flight: Flight | undefined;
  readonly #options: DirectOptions;
  readonly #budget: RowBudget;
  readonly #out = takeOutput();
  readonly #list: RowList;
  /** Set once the answer streams. */
  #answer: Answer | undefined;

  constructor(request: Request, options: DirectOptions) {
    this.request = request;
    this.expectedMs = options.expectedMs;
    this.promoted = options.promoted;
    this.#options = options;
    const { ready, values, form } = request;
    this.#budget = new RowBudget(options.rowsMax);
    this.#list = new RowList(ready.writer(form), this.#out);
    const statement = parameterizeStatement(ready.plan.root, values, []);
    this.steps = [{ statement, rowsMax: this.#budget.rowsToAsk, sink: this }];
  }

  row(bytes: Buffer, start: number): void {
    this.#budget.take(1);
    this.#list.add(bytes, start);
    if (this.#out.length >= PART_BYTES) this.#stream();
  }

  end(error: unknown, serviceMs: number): void {
    const { host, onEnd } = this.#options;
    const answer = this.#answer;
    if (error === undefined) {
      this.#list.end();
      if (answer) host.endStream(this.request);
      else host.answer(this.request, this.#out);
    }
    if (!answer) giveOutput(this.#out);
    const hasLists = this.#list.length > 1;
    onEnd({ error, serviceMs, isLarge: answer !== undefined, hasLists });
  }

  #stream(): void {
    const { host } = this.#options;
    this.#answer ??= host.beginStream(this.request, this.#out, this);
    const answer = this.#answer;
    answer.written();
    if (!answer.isFull) return;
    host.pause(this);
    void answer.drained().then(() => host.resume(this));
  }
}

/** A batch of requests each of which has one row at most. */
export class RowEachRead implements SharedWork, RowSink {
  readonly steps: readonly Step[];
  readonly expectedMs: number;
  readonly isBoundToTypes = true;
  readonly keepsRows = false;
  readonly promoted: () => void;
  flight: Flight | undefined;
  readonly #batch: Batch;
  readonly #options: DirectOptions;
  readonly #requests: Request[] = [];
  readonly #ends: number[] = [];
  readonly #out = takeOutput();
  readonly #fetched: FetchedBytes = { rows: new RowBytes(), includes: [] };
  readonly #groupOf: GroupOfRow;
  readonly #answered: boolean[] = [];

  constructor(batch: Batch, options: DirectOptions) {
    this.expectedMs = options.expectedMs;
    this.promoted = options.promoted;
    this.#batch = batch;
    this.#options = options;
    this.#groupOf = batch.demultiplexer(this.#fetched.rows);
    this.steps = [{ statement: batch.statement, rowsMax: 0, sink: this }];
  }

  row(bytes: Buffer, start: number): void {
    this.#fetched.rows.set(bytes, start);
    const index = this.#groupOf(0);
    const group = index === undefined ? undefined : this.#batch.groups[index];
    // A row that nobody has asked for: the column is no longer of the type that it was.
    if (index === undefined || group === undefined) throw new SourceError('statement-stale');
    if (this.#answered[index]) throw new TooManyRows();
    this.#answered[index] = true;
    this.#write(group, onlyRow);
  }

  end(error: unknown, serviceMs: number): void {
    const { host, onEnd } = this.#options;
    if (error === undefined) {
      const { groups } = this.#batch;
      for (let index = 0; index < groups.length; index += 1) {
        if (!this.#answered[index]) this.#write(groups[index] ?? noRequests, noRows);
      }
      host.answerAll(this.#requests, this.#ends, this.#out);
    }
    giveOutput(this.#out);
    onEnd({ error, serviceMs, isLarge: false, hasLists: error instanceof TooManyRows });
  }

  #write(group: readonly Request[], rows: readonly number[]): void {
    for (const request of group) {
      writeList(this.#out, request.ready.writer(request.form), this.#fetched, rows);
      this.#requests.push(request);
      this.#ends.push(this.#out.length);
    }
  }
}

/** A request has more than the one row that such requests were seen to have. */
class TooManyRows extends Error {}

const noRequests: readonly Request[] = [];
const noRows: readonly number[] = [];
const onlyRow: readonly number[] = [0];
