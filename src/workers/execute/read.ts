/**
 * Reads the rows of a plan on connections of its request. Rows without includes are written as they
 * arrive; rows with includes are read in windows.
 */
import {
  type ByteWriter,
  type CompiledQuery,
  type OutputBytes,
  type ParameterValues,
  parameterizeStatement,
  type StatementPlan,
} from '../../engine/index.js';
import type { Lease } from '../database/lease.js';
import { readWindows } from './read-windows.js';
import { RowBudget } from './row-budget.js';
import { RowList } from './row-list.js';
import { leaseOf, type Leases } from './with-leases.js';

export interface RowsAnswer {
  readonly out: OutputBytes;
  /** The rows that were written so far, without those of includes. */
  rows: number;
  /** Whether the writer should wait for {@link drained}. */
  readonly isFull: boolean;
  /** Call this after writing to {@link out}. An error that it throws ends the read. */
  written(): void;
  /** Resolves when there is room again. */
  drained(): Promise<void>;
}

/** A plan with its values, and where its rows are written. */
export interface ReadOrder {
  readonly plan: CompiledQuery;
  readonly writer: ByteWriter;
  readonly values: ParameterValues;
  readonly answer: RowsAnswer;
  /** The most rows of the answer, including those of includes; 0: no limit. */
  readonly rowsMax: number;
  /** The most root rows of a window. */
  readonly windowRows?: number;
}

/** What the steps of one read share. */
export interface Reading extends ReadOrder {
  readonly root: StatementPlan;
  readonly budget: RowBudget;
  /** The connection on which a statement runs. */
  leaseOf(statement: StatementPlan): Lease;
}

/** Writes all rows of the plan without ending the answer. `leases` has one for each source name. */
export function read(order: ReadOrder, leases: Leases): Promise<void> {
  const { root } = order.plan;
  const reading: Reading = {
    ...order,
    root,
    budget: new RowBudget(order.rowsMax),
    leaseOf: ({ source }) => leaseOf(leases, source),
  };
  return root.includes.length === 0 ? readStreamed(reading) : readWindows(reading);
}

/** Writes each row as it arrives, and no faster than the client reads. */
async function readStreamed(reading: Reading): Promise<void> {
  const { root, writer, answer, budget, values } = reading;
  const lease = reading.leaseOf(root);
  const list = new RowList(writer, answer.out);
  const row = (bytes: Buffer, start: number): void => {
    budget.take(1);
    list.add(bytes, start);
    answer.rows += 1;
    answer.written();
    if (!answer.isFull) return;
    lease.pause();
    void answer.drained().then(() => lease.resume());
  };
  const statement = parameterizeStatement(root, values, []);
  await lease.stream(statement, budget.rowsToAsk, { row });
  list.end();
  answer.written();
}

/** The sources of a statement and its includes, sorted by name. */
export function sourceNames(root: StatementPlan): string[] {
  if (root.includes.length === 0) return [root.source];
  const names = new Set<string>();
  const visit = (statement: StatementPlan): void => {
    names.add(statement.source);
    for (const include of statement.includes) visit(include.statement);
  };
  visit(root);
  return [...names].sort();
}
