/**
 * A batch as a short read without a session. Where each request has one row, or there is but one
 * request, rows are written as they come; else they are kept and dealt out at the end.
 */
import {
  type ByteWriter,
  type FetchedBytes,
  OutputBytes,
  RowBytes,
  writeList,
} from '../../engine/index.js';
import { RowBudget } from '../execute/row-budget.js';
import { SourceError } from '../database/source-error.js';
import type { QuickRead } from '../database/source.js';
import type { Batch } from './batch.js';
import { BatchBytes } from './batch-bytes.js';
import { createBatch } from './lane-batch.js';
import type { Member } from './member.js';
import { answerRows, type BatchOrder, rowsMost } from './run-batch.js';

/** How a batch has ended. */
export interface QuickEnd {
  /** Those without an answer are to be run alone when there is one. */
  readonly error: unknown;
  /** The part of the rows, or of their bytes, that it may bring. */
  readonly fill: number;
  /** Whether some request has had more rows than one. */
  readonly hasLists: boolean;
}

const ANSWER_BYTES = 64 * 1024;
/** What batches that are over have written into. */
const spare: OutputBytes[] = [];

abstract class QuickBatch implements QuickRead {
  abstract readonly keepsRows: boolean;
  readonly batch: Batch;
  protected readonly order: BatchOrder;
  protected readonly bytes = new BatchBytes();
  readonly #budget: RowBudget;
  readonly #most: number;
  readonly #onEnd: (end: QuickEnd) => void;

  /** Throws what a member's own arguments throw. */
  constructor(order: BatchOrder, onEnd: (end: QuickEnd) => void) {
    const { ready, shape, members, rowsMax } = order;
    this.order = order;
    this.batch = createBatch(ready.plan.root, shape, members);
    this.#most = rowsMost(rowsMax);
    this.#budget = new RowBudget(this.#most);
    this.#onEnd = onEnd;
  }

  get rowsToAsk(): number {
    return this.#budget.rowsToAsk;
  }

  protected abstract take(bytes: Buffer, start: number): void;
  /** Answers all; tells whether some request has had more rows than one. */
  protected abstract answer(): boolean;

  row(bytes: Buffer, start: number): void {
    this.#budget.take(1);
    this.bytes.take(bytes.readInt32BE(start - LENGTH_BYTES));
    this.take(bytes, start);
  }

  end(failure?: unknown): void {
    let error = failure;
    let hasLists = false;
    if (error === undefined) {
      try {
        hasLists = this.answer();
      } catch (fault) {
        error = fault;
      }
    }
    const fill = Math.max(this.bytes.fill, 1 - (this.#budget.rowsToAsk - 1) / this.#most);
    this.#onEnd({ error, fill, hasLists });
  }
}

/** The length of a row's message stands right before its number of fields. */
const LENGTH_BYTES = 4;

/** Keeps the rows, and deals them out at the end. */
export class KeptBatch extends QuickBatch {
  readonly keepsRows = true;
  readonly #rows = new RowBytes();

  protected take(bytes: Buffer, start: number): void {
    this.#rows.push(bytes, start);
  }

  protected answer(): boolean {
    return answerRows(this.order, this.batch, { rows: this.#rows, inclusions: [] });
  }
}

/** Writes the answer of each request when its row comes, which must be its only one. */
export class WrittenBatch extends QuickBatch {
  readonly keepsRows = false;
  readonly #members: Member[] = [];
  readonly #ends: number[] = [];
  readonly #bytes = spare.pop() ?? newBytes();
  readonly #fetched: FetchedBytes = { rows: new RowBytes(), inclusions: [] };
  readonly #groupOf = this.batch.dealer(this.#fetched.rows);
  readonly #answered: boolean[] = [];

  protected take(bytes: Buffer, start: number): void {
    this.#fetched.rows.set(bytes, start);
    const index = this.#groupOf(0);
    const group = index === undefined ? undefined : this.batch.groups[index];
    // A row that nobody has asked for: the column is no longer of the type that it was.
    if (index === undefined || group === undefined) throw new SourceError('statement-stale');
    if (this.#answered[index]) throw new RowsRepeated();
    this.#answered[index] = true;
    this.#write(group, onlyRow);
  }

  protected answer(): boolean {
    const { groups } = this.batch;
    for (let index = 0; index < groups.length; index += 1) {
      if (!this.#answered[index]) this.#write(groups[index] ?? noMembers, noRows);
    }
    this.order.host.answerAll({ members: this.#members, ends: this.#ends, bytes: this.#bytes });
    return false;
  }

  override end(failure?: unknown): void {
    super.end(failure);
    keepSpare(this.#bytes);
  }

  #write(group: readonly Member[], rows: readonly number[]): void {
    for (const member of group) {
      writeList(this.#bytes, this.order.ready.writer(member.form), this.#fetched, rows);
      this.#members.push(member);
      this.#ends.push(this.#bytes.length);
    }
  }
}

/** A request has more than the one row that such requests were seen to have. */
export class RowsRepeated extends Error {}

const noMembers: readonly Member[] = [];
const noRows: readonly number[] = [];
const onlyRow: readonly number[] = [0];
const SPARE_MAX = 4;

function newBytes(): OutputBytes {
  return new OutputBytes(ANSWER_BYTES);
}

function keepSpare(bytes: OutputBytes): void {
  bytes.length = 0;
  if (bytes.bytes.length <= ANSWER_BYTES && spare.length < SPARE_MAX) spare.push(bytes);
}

/** One request: writes its rows as they come. */
export class LoneBatch extends QuickBatch {
  readonly keepsRows = false;
  readonly #fetched: FetchedBytes = { rows: new RowBytes(), inclusions: [] };
  readonly #bytes = spare.pop() ?? newBytes();
  #rows = 0;

  protected take(bytes: Buffer, start: number): void {
    const { frame, row } = this.#writer();
    this.#fetched.rows.set(bytes, start);
    this.#bytes.constant(this.#rows === 0 ? frame.open : frame.separator);
    row(this.#bytes, this.#fetched, 0);
    this.#rows += 1;
  }

  protected answer(): boolean {
    const { frame } = this.#writer();
    this.#bytes.constant(this.#rows === 0 ? frame.empty : frame.close);
    const { members, host } = this.order;
    host.answerAll({ members: [...members], ends: [this.#bytes.length], bytes: this.#bytes });
    return this.#rows > 1;
  }

  override end(failure?: unknown): void {
    super.end(failure);
    keepSpare(this.#bytes);
  }

  #writer(): ByteWriter {
    const { ready, members } = this.order;
    return ready.writer(members[0]?.form ?? 'compact');
  }
}
