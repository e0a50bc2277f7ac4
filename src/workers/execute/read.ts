/**
 * Reads the rows of a plan on connections that its request holds. Rows without includes are written as
 * they come; rows with includes come in windows, whose children are fetched together.
 */
import {
  type ByteWriter,
  type CompiledQuery,
  invariant,
  type OutputBytes,
  type ParameterValues,
  type StatementPlan,
} from '../../engine/index.js';
import type { Lease } from '../database/lease.js';
import { readStreamed } from './read-streamed.js';
import { readWindows } from './read-windows.js';
import { RowBudget } from './row-budget.js';

/** Where rows are written to. */
export interface RowsAnswer {
  readonly out: OutputBytes;
  /** Whether the writer should wait for {@link drained}. */
  readonly isFull: boolean;
  /** Something was written to {@link out}. What it throws ends the read. */
  written(): void;
  /** Resolves when there is room again. */
  drained(): Promise<void>;
}

/** A plan with its values, and where its rows are written to. */
export interface ReadOrder {
  readonly plan: CompiledQuery;
  readonly writer: ByteWriter;
  readonly values: ParameterValues;
  readonly answer: RowsAnswer;
  /** Rows of the answer, those of includes counted, too; 0: no limit. */
  readonly rowsMax: number;
  /** Rows of a root whose children are fetched together, at most. */
  readonly windowRows?: number;
}

/** What the steps of one read share. */
export interface Reading extends ReadOrder {
  readonly root: StatementPlan;
  readonly budget: RowBudget;
  /** The connection on which a statement runs. */
  leaseOf(statement: StatementPlan): Lease;
}

/** Writes all rows of the plan, without ending the answer. The leases are found by their sources' names. */
export function read(order: ReadOrder, leases: ReadonlyMap<string, Lease>): Promise<void> {
  const { root } = order.plan;
  const reading: Reading = {
    ...order,
    root,
    budget: new RowBudget(order.rowsMax),
    leaseOf: ({ source }) => {
      const lease = leases.get(source);
      invariant(lease, `a connection to the source ${source}`);
      return lease;
    },
  };
  return root.includes.length === 0 ? readStreamed(reading) : readWindows(reading);
}

/** The sources of a statement and of all that it includes, in the order of their names. */
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
