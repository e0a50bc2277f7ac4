/**
 * Prepares a write: reads and checks the data of a request, so that it can run on any connection.
 */
import {
  type AnswerBytes,
  catalogUnderView,
  type DataValue,
  OutputBytes,
  readArguments,
  withoutImpossibleKeys,
  readRows,
  type RowsForm,
  type StatementPlan,
  type WriteRow,
  writeRowsAnswer,
} from '../../engine/index.js';
import type { Context } from '../context.js';
import type { ReadyPlan } from '../plans.js';
import { namedFault } from './parameter-fault.js';
import { placedFault } from './write-fault.js';
import {
  checkOrder,
  deleteFiltered,
  type FilteredOrder,
  filteredWriteOf,
  keyedData,
  presentProperties,
  updateFiltered,
} from './write-filtered.js';
import { type RunWrites, uncommitted, writeRows } from './write-rows.js';

export interface WriteOrder {
  readonly ready: ReadyPlan;
  readonly data: DataValue | undefined;
  /** The instant of the request, as ISO 8601. */
  readonly instant: string;
  /** Whether the rows are those of an import. */
  readonly isImport?: boolean;
  /** Whether nobody reads its answer. */
  readonly isUnanswered?: boolean;
  /** Called with the rows of the data when they are stored, and have the keys of those that they refer to. */
  readonly onStored?: (rows: readonly WriteRow[]) => void;
}

/** A write whose data is checked, and of which no statement has run. */
export interface PreparedWrite {
  /** Whether there is nothing to run, so that it needs no connection. */
  readonly isEmpty: boolean;
  /**
   * Runs all round trips, up to the one that commits, and returns the function that writes the answer.
   * It can be called again after a rollback. Rejects with an `EngineError` or a `SourceError`.
   */
  run(runWrites: RunWrites): Promise<WriteAnswer>;
}

/** Writes the answer of a write, without ending it. */
export type WriteAnswer = (answer: AnswerBytes, form: RowsForm) => void;

/** Reads and checks the data. Throws an `EngineError`. */
export function prepareWrite(context: Context, order: WriteOrder): PreparedWrite {
  const isRows = order.ready.plan.root.write?.kind === 'rows';
  return isRows ? prepareRows(context, order) : prepareFiltered(context, order);
}

function prepareRows(context: Context, order: WriteOrder): PreparedWrite {
  const { ready, data, instant, isImport, isUnanswered, onStored } = order;
  const { root } = ready.plan;
  const capabilities = { now: instant, cipher: context.cipher, isImport };
  const isRead = root.clause !== 'update' && !isImport && !isUnanswered;
  const mayFailLate = isRead && computesValues(root);
  let fresh: readonly WriteRow[] | undefined = readRows(root, data, capabilities);
  return {
    isEmpty: fresh.length === 0,
    async run(runWrites) {
      // Rows record what was stored, so each attempt needs its own.
      const rows = fresh ?? readRows(root, data, capabilities);
      fresh = undefined;
      try {
        if (rows.length > 0)
          await writeRows(mayFailLate ? uncommitted(runWrites) : runWrites, root, rows);
        if (mayFailLate) {
          writeRowsAnswer(ready.writer('compact'), rows, discarded());
          await runWrites([], true, root);
        }
      } catch (error) {
        throw placedFault(error, { ...naming(context, ready), root, rows });
      }
      onStored?.(rows);
      if (root.clause === 'update') return countAnswer(rows.filter(isStored).length);
      return (answer, form) => writeRowsAnswer(ready.writer(form), rows, answer);
    },
  };
}

/** Whether the answer has values that are computed from the stored ones (`readValue`), which may fail. */
function computesValues({ columns, includes }: StatementPlan): boolean {
  return (
    columns.some(({ read }) => read) || includes.some(({ statement }) => computesValues(statement))
  );
}

/** Where an answer is written only to see whether that succeeds. */
function discarded(): AnswerBytes {
  const out = new OutputBytes(FIRST_BYTES);
  return {
    out,
    written: () => {
      out.length = 0;
    },
  };
}

const FIRST_BYTES = 1024;

function isStored({ stored }: WriteRow): boolean {
  return stored !== undefined;
}

/** Errors contain only names that the plan's view shows. */
function naming({ schema, catalog }: Context, { plan }: ReadyPlan) {
  return { schema, visible: catalogUnderView(catalog, plan.view) };
}

function prepareFiltered(context: Context, order: WriteOrder): PreparedWrite {
  const { ready } = order;
  const { root } = ready.plan;
  const { action } = filteredWriteOf(root);
  const orders = keyedData(filteredWriteOf(root), order.data).map((own) =>
    checkOrder(orderOf(context, order, own)),
  );
  const [first] = orders;
  return {
    isEmpty: !first,
    async run(runWrites) {
      if (!first) return countAnswer(0);
      try {
        const isDelete = action === 'delete';
        const count = isDelete
          ? deleteFiltered(runWrites, orders)
          : updateFiltered(runWrites, first);
        return countAnswer(await count);
      } catch (error) {
        const named = namedFault(error, root);
        throw placedFault(named, { ...naming(context, ready), root, rows: [] });
      }
    },
  };
}

function countAnswer(count: number): WriteAnswer {
  return (answer, form) => {
    answer.out.constant(Buffer.from(form === 'lines' ? `${count}\n` : `${count}`));
    answer.written();
  };
}

/** The plan for the properties in the data, with the values of its parameters. */
function orderOf(context: Context, order: WriteOrder, data: DataValue | undefined): FilteredOrder {
  const { ready, instant } = order;
  const present = presentProperties(filteredWriteOf(ready.plan.root), data);
  const chosen = context.plans.variant(ready, [], present);
  const values = withoutImpossibleKeys(chosen.plan, readArguments(chosen.plan, data, instant));
  const { plan } = context.plans.variant(ready, values.variant, present);
  const { transactionAnswerBytesMax: rowBytesMax } = context.settings;
  const capabilities = { now: instant, cipher: context.cipher };
  return { plan, values, data, rowBytesMax, capabilities };
}
