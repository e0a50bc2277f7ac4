/**
 * A read that writes its rows as they arrive: for one request, or for a batch whose requests have
 * at most one row each. A hot path (bench, "point" and "plans").
 */
import {
  type FetchedBytes,
  RowBytes,
  parameterizeStatement,
  writeList,
} from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import type { RowSink, Step } from '../database/statement.js';
import type { Batch, GroupOfRow } from './batch.js';
import { PageCursor } from './page-cursor.js';
import type { Request } from './request.js';
import { RowBudget } from './row-budget.js';
import { RowList } from './row-list.js';
import { giveOutput, takeOutput, WHOLE_BYTES_MAX } from './spare-outputs.js';
import { SharedWork, type WorkOptions } from './shared-work.js';
import type { SourceReads } from './source-reads.js';

/** The largest answer of a read that took long, which would take as long again on another connection. */
const LONG_BYTES_MAX = 8 << 20;

/** How a read ended. */
export interface ReadEnd {
  /** If there is an error, the requests have no answers. */
  readonly error: unknown;
  /** The time in the database for all requests together, in milliseconds. */
  readonly serviceMs: number;
  /** Whether some request had more than one row. */
  readonly hasLists: boolean;
}

export interface DirectOptions extends WorkOptions {
  readonly reads: SourceReads;
  readonly onEnd: (end: ReadEnd) => void;
}

/** One request. If its answer turns out large, it is stopped, to run again on a connection of its own. */
export class SingleRead extends SharedWork implements RowSink {
  readonly request: Request;
  readonly steps: readonly Step[];
  override readonly isSingle = true;
  readonly #options: DirectOptions;
  #budget: RowBudget;
  /** Absent until there is a row, so that few requests hold a buffer at a time. */
  #list: RowList | undefined;
  /** Set if the answer is a page that may have a next one. */
  #page: PageCursor | undefined;
  #isTooLarge = false;

  constructor(request: Request, options: DirectOptions) {
    super(options);
    this.request = request;
    this.#options = options;
    const { ready, values } = request;
    this.#budget = this.#newBudget();
    const statement = parameterizeStatement(ready.plan.root, values, []);
    this.steps = [{ statement, rowsMax: this.#budget.rowsToAsk, sink: this }];
  }

  row(bytes: Buffer, start: number): void {
    if (this.#isTooLarge) return;
    this.#budget.take(1);
    const list = this.#openList();
    list.add(bytes, start);
    if (list.out.length < (this.isPromoted ? LONG_BYTES_MAX : WHOLE_BYTES_MAX)) return;
    this.#isTooLarge = true;
    // Deferred, because the connection is still passing on its rows.
    queueMicrotask(() => this.#options.reads.connections.drop(this));
  }

  override restart(): boolean {
    if (this.#isTooLarge) return false;
    this.#giveBack();
    this.#budget = this.#newBudget();
    return true;
  }

  protected finish(failure: unknown, serviceMs: number): void {
    const rows = this.#list?.length ?? 0;
    let error = this.#isTooLarge ? new TooLargeToShare() : failure;
    try {
      if (error === undefined) this.#answer(rows);
    } catch (fault) {
      error = fault;
    }
    this.#giveBack();
    this.#options.onEnd({ error, serviceMs, hasLists: rows > 1 });
  }

  /** Throws if its page has no cursor. */
  #answer(rows: number): void {
    const { request } = this;
    const list = this.#openList();
    list.end();
    request.rows = rows;
    request.next = this.#page?.next();
    this.#options.reads.host.answer(request, list.out);
  }

  #newBudget(): RowBudget {
    return new RowBudget(this.#options.reads.settings.rowsMax);
  }

  #openList(): RowList {
    if (this.#list) return this.#list;
    const { ready, form, values } = this.request;
    const { cursor } = ready.plan;
    const writer = ready.writer(form);
    this.#page = cursor && new PageCursor(cursor, values);
    this.#list = new RowList(this.#page?.watch(writer) ?? writer, takeOutput());
    return this.#list;
  }

  #giveBack(): void {
    if (this.#list) giveOutput(this.#list.out);
    this.#list = undefined;
  }
}

/** A batch of requests with at most one row each. */
export class RowEachRead extends SharedWork implements RowSink {
  readonly steps: readonly Step[];
  override readonly isBoundToTypes = true;
  readonly #batch: Batch;
  readonly #options: DirectOptions;
  readonly #requests: Request[] = [];
  readonly #ends: number[] = [];
  readonly #out = takeOutput();
  readonly #fetched: FetchedBytes = { rows: new RowBytes(), includes: [] };
  readonly #groupOf: GroupOfRow;
  readonly #answered: boolean[] = [];

  constructor(batch: Batch, options: DirectOptions) {
    super(options);
    this.#batch = batch;
    this.#options = options;
    this.#groupOf = batch.demultiplexer(this.#fetched.rows);
    this.steps = [{ statement: batch.statement, rowsMax: 0, sink: this }];
  }

  row(bytes: Buffer, start: number): void {
    this.#fetched.rows.set(bytes, start);
    const index = this.#groupOf(0);
    // No request has asked for this row: the type of the column has changed.
    if (index === undefined) throw new SourceError('cached-plan-invalid');
    const group = this.#batch.groups[index];
    // A row of what fills up a UNION ALL.
    if (!group) return;
    if (this.#answered[index]) throw new TooManyRows();
    this.#answered[index] = true;
    this.#write(group, onlyRow);
  }

  protected finish(error: unknown, serviceMs: number): void {
    const { reads, onEnd } = this.#options;
    if (error === undefined) {
      const { groups } = this.#batch;
      for (let index = 0; index < groups.length; index += 1) {
        if (!this.#answered[index]) this.#write(groups[index] ?? noRequests, noRows);
      }
      reads.host.answerAll(this.#requests, this.#ends, this.#out);
    }
    giveOutput(this.#out);
    onEnd({ error, serviceMs, hasLists: error instanceof TooManyRows });
  }

  #write(group: readonly Request[], rows: readonly number[]): void {
    for (const request of group) {
      request.rows = rows.length;
      writeList(this.#out, request.ready.writer(request.form), this.#fetched, rows);
      this.#requests.push(request);
      this.#ends.push(this.#out.length);
    }
  }
}

/** The answer is too large for a shared connection. */
export class TooLargeToShare extends Error {}

/** A request has more than one row, although earlier ones did not. */
class TooManyRows extends Error {}

const noRequests: readonly Request[] = [];
const noRows: readonly number[] = [];
const onlyRow: readonly number[] = [0];
