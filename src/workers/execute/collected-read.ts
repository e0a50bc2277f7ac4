/**
 * A read that collects its rows: it fetches the children level by level, and then answers each
 * request. It serves one request or a batch.
 */
import {
  type FetchedBytes,
  invariant,
  OutputBytes,
  RowBytes,
  type RowsForm,
  writeList,
} from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import { ByteBudget, keepRows, type Statement, type Step } from '../database/statement.js';
import { RowMemory } from '../database/row-memory.js';
import type { Batch, GroupOfRow } from './batch.js';
import { type ChildReader, fetchIncludes } from './includes.js';
import type { ReadHost } from './read-host.js';
import type { Request } from './request.js';
import { RowBudget } from './row-budget.js';
import { SharedWork, type WorkOptions } from './shared-work.js';
import type { SourceReads } from './source-reads.js';

/** The most rows of a read, including children, and their bytes; for more, each request streams its own. */
const ROWS_MAX = 20_000;
const BYTES_MAX = 8 << 20;
/** The most root rows of a read with includes. */
const ROOTS_MAX = 1000;

export interface CollectedOptions extends WorkOptions {
  readonly reads: SourceReads;
  readonly isBoundToTypes: boolean;
  readonly run: (work: SharedWork) => void;
}

/** The measurements of a read. */
export interface Collected {
  /** The time in the database, in milliseconds. */
  readonly serviceMs: number;
  /** How much it used of the limit on rows, root rows or bytes, whichever is most. */
  readonly fill: number;
  /** Whether some request had more than one row. */
  readonly hasLists: boolean;
}

/**
 * Answers each request. If it rejects, the requests without an answer must run by themselves; with
 * `rows-over-limit`, there are too many rows to collect.
 */
export async function collectedRead(
  batch: Batch,
  requests: readonly Request[],
  options: CollectedOptions,
): Promise<Collected> {
  const [first] = requests;
  invariant(first, 'a batch has requests');
  const { root } = first.ready.plan;
  const hasIncludes = root.includes.length > 0;
  const { host, settings } = options.reads;
  const rowsMax = Math.min(settings.rowsMax || ROWS_MAX, ROWS_MAX);
  const budget = new RowBudget(rowsMax);
  const bytes = new ByteBudget(BYTES_MAX);
  const memory = new RowMemory(true);
  let serviceMs = 0;
  const run = (statements: readonly Statement[], most: number): Promise<readonly RowBytes[]> =>
    runShared(statements, { most, bytes, memory, isSpread: hasIncludes, ...options }, (ms) => {
      serviceMs += ms;
    });
  const rootsMax = hasIncludes ? Math.min(budget.rowsToAsk, ROOTS_MAX + 1) : budget.rowsToAsk;
  const [rows] = await run([batch.statement], rootsMax);
  invariant(rows, 'a statement has its rows');
  if (hasIncludes && rows.length > ROOTS_MAX) throw new SourceError('rows-over-limit');
  budget.take(rows.length);
  const reader: ChildReader = {
    values: first.values,
    budget,
    fetch: (statements, _statements, most) => run(statements, most),
  };
  const fetched = hasIncludes ? await fetchIncludes(reader, root, rows) : { rows, includes: [] };
  const hasLists = answerRows(batch, fetched, host);
  // After an error, rows may still arrive.
  memory.release();
  const rootsFill = hasIncludes ? rows.length / ROOTS_MAX : 0;
  const fill = Math.max(bytes.fill, rootsFill, 1 - (budget.rowsToAsk - 1) / rowsMax);
  return { serviceMs, fill, hasLists };
}

interface SharedRun extends CollectedOptions {
  readonly most: number;
  readonly bytes: ByteBudget;
  readonly memory: RowMemory;
  /** While a read with includes waits for its worker, others should keep the database busy. */
  readonly isSpread: boolean;
}

/** Runs statements together on a shared connection, and collects their rows. */
function runShared(
  statements: readonly Statement[],
  shared: SharedRun,
  served: (serviceMs: number) => void,
): Promise<readonly RowBytes[]> {
  const { most, bytes, memory, run } = shared;
  const results = statements.map(() => new RowBytes());
  const steps = statements.map((statement, index): Step => {
    const rows = results[index] ?? new RowBytes();
    return { statement, rowsMax: most, sink: keepRows(rows, bytes, memory) };
  });
  return new Promise((resolve, reject) => {
    const end = (error: unknown, serviceMs: number): void => {
      served(serviceMs);
      if (error === undefined) resolve(results);
      else reject(error);
    };
    run(new CollectedWork(steps, shared, end));
  });
}

class CollectedWork extends SharedWork {
  override readonly isBoundToTypes: boolean;
  override readonly isSpread: boolean;
  readonly steps: readonly Step[];
  protected readonly finish: (error: unknown, serviceMs: number) => void;

  constructor(steps: readonly Step[], options: SharedRun, finish: CollectedWork['finish']) {
    super(options);
    this.isBoundToTypes = options.isBoundToTypes;
    this.isSpread = options.isSpread;
    this.steps = steps;
    this.finish = finish;
  }
}

/** Demultiplexes rows and answers all requests; returns whether some request had more than one row. */
function answerRows(batch: Batch, fetched: FetchedBytes, host: ReadHost): boolean {
  const rowsOf = demultiplex(fetched.rows, batch.demultiplexer(fetched.rows));
  const out = takeScratch();
  const requests: Request[] = [];
  const ends: number[] = [];
  let hasLists = false;
  for (const [index, group] of batch.groups.entries()) {
    const rows = rowsOf[index] ?? noRows;
    if (rows.length > 1) hasLists = true;
    writeGroup(group, { fetched, rows, out }, (request) => {
      request.rows = rows.length;
      requests.push(request);
      ends.push(out.length);
    });
  }
  host.answerAll(requests, ends, out);
  return hasLists;
}

const noRows: readonly number[] = [];

/** One buffer for all requests, because their answers are written one at a time and copied. */
let scratch = new OutputBytes(16 * 1024);
const SCRATCH_BYTES_MAX = 1 << 20;

function takeScratch(): OutputBytes {
  if (scratch.bytes.length > SCRATCH_BYTES_MAX) scratch = new OutputBytes(SCRATCH_BYTES_MAX);
  scratch.length = 0;
  return scratch;
}

/** The indexes of each group's rows, in the order in which they came. */
function demultiplex(
  rows: RowBytes,
  groupOf: GroupOfRow,
): readonly (readonly number[] | undefined)[] {
  const rowsOf: (number[] | undefined)[] = [];
  for (let row = 0; row < rows.length; row += 1) {
    const group = groupOf(row);
    // No request has asked for this row: the type of the column has changed.
    if (group === undefined) throw new SourceError('cached-plan-invalid');
    const others = rowsOf[group];
    if (others) others.push(row);
    else rowsOf[group] = [row];
  }
  return rowsOf;
}

/** The positions in an answer buffer. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** Writes the answers of a group. Requests with the same format share one answer. */
function writeGroup(
  group: readonly Request[],
  { fetched, rows, out }: GroupRows,
  written: (request: Request) => void,
): void {
  const known = new Map<RowsForm, Place>();
  for (const request of group) {
    const place = known.get(request.form);
    const start = out.length;
    if (place) out.copy(out.bytes, place.start, place.end);
    else {
      writeList(out, request.ready.writer(request.form), fetched, rows);
      if (group.length > 1) known.set(request.form, { start, end: out.length });
    }
    written(request);
  }
}

interface GroupRows {
  readonly fetched: FetchedBytes;
  readonly rows: readonly number[];
  readonly out: OutputBytes;
}
