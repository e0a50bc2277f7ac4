/** A plan that writes with the data of a request: read and checked, then run on any session. */
import {
  catalogUnderView,
  type Cipher,
  createWriter,
  type DataValue,
  EngineError,
  linesOf,
  readArguments,
  readRows,
  type RowsForm,
  type Sentence,
  type SentenceWriter,
  type WriteRow,
  writtenAnswer,
} from '../../engine/index.js';
import type { Context } from '../context.js';
import type { ReadyPlan } from '../plans.js';
import type { Session, Source } from '../sources/source.js';
import {
  checkOrder,
  type ChosenOrder,
  chosenWriteOf,
  deleteChosen,
  keyedData,
  presentProperties,
  updateChosen,
} from './write-chosen.js';
import { placedFault } from './write-fault.js';
import { type RunWrites, writeRows } from './write-rows.js';

/** What is to be written. */
export interface WriteOrder {
  readonly planId: number;
  readonly ready: ReadyPlan;
  readonly data: DataValue | undefined;
  readonly form: RowsForm;
  /** The instant of the request, as ISO 8601. */
  readonly instant: string;
}

/** A write whose data is read and checked; nothing of it has run. */
export interface PreparedWrite {
  /** Whether there is nothing to run: no session is needed for it. */
  readonly isEmpty: boolean;
  /**
   * Runs all rounds up to the one that commits, and gives the text of the answer. It may be run
   * again once all that it did is undone. Rejects with an `EngineError` or a `SourceError`.
   */
  run(rounds: RunWrites): Promise<string>;
}

/** Reads and checks the data. Throws an `EngineError`. */
export function prepareWrite(context: Context, order: WriteOrder): PreparedWrite {
  const { root } = order.ready.plan;
  const prepare = root.write?.kind === 'rows' ? prepareRows : prepareChosen;
  const prepared = prepare(context, order);
  if (order.form !== 'lines') return prepared;
  return { ...prepared, run: async (rounds) => lineOf(await prepared.run(rounds)) };
}

/** One object, or the number of rows, as a line; a list is lines already. */
function lineOf(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** The rounds of a write, on a session. */
export function roundsOn(session: Session, { dialect }: Source): RunWrites {
  return (statements, last) => {
    if (session.write) return session.write(statements, last);
    throw new EngineError('unsupported', `Writes are not executed on ${dialect} yet.`);
  };
}

function prepareRows(context: Context, { ready, data, form, instant }: WriteOrder) {
  const { root } = ready.plan;
  const { cipher } = context;
  const writer = writerOf(root, form, cipher);
  const around = { now: instant, cipher };
  let fresh: readonly WriteRow[] | undefined = readRows(root, data, around);
  return {
    isEmpty: fresh.length === 0,
    async run(rounds: RunWrites): Promise<string> {
      // Rows remember what was stored, so that a second attempt has its own.
      const rows = fresh ?? readRows(root, data, around);
      fresh = undefined;
      if (rows.length === 0) return writtenAnswer(writer, rows);
      try {
        await writeRows(rounds, root, rows);
      } catch (error) {
        throw placedFault(error, { ...naming(context, ready), root, rows });
      }
      return writtenAnswer(writer, rows);
    },
  };
}

/** What faults are told with: names that the view of the plan shows. */
function naming({ schema, catalog }: Context, { plan }: ReadyPlan) {
  return { schema, shown: catalogUnderView(catalog, plan.view) };
}

const writers = new WeakMap<Sentence, Map<RowsForm, SentenceWriter>>();

/** The writer of a plan, made once as long as the plan is kept. */
function writerOf(root: Sentence, form: RowsForm, cipher: Cipher): SentenceWriter {
  const known = writers.get(root) ?? new Map<RowsForm, SentenceWriter>();
  writers.set(root, known);
  const writer = known.get(form) ?? newWriter(root, form, cipher);
  known.set(form, writer);
  return writer;
}

function newWriter(root: Sentence, form: RowsForm, cipher: Cipher): SentenceWriter {
  const writer = createWriter(root, { pretty: form === 'pretty', cipher });
  return form === 'lines' ? linesOf(writer) : writer;
}

function prepareChosen(context: Context, order: WriteOrder): PreparedWrite {
  const { root } = order.ready.plan;
  const { action } = chosenWriteOf(root);
  const orders = keyedData(chosenWriteOf(root), order.data).map((own) =>
    checkOrder(orderOf(context, order, own)),
  );
  const [first] = orders;
  return {
    isEmpty: !first,
    async run(rounds) {
      if (!first) return '0';
      try {
        const isDelete = action === 'delete';
        return String(
          await (isDelete ? deleteChosen(rounds, orders) : updateChosen(rounds, first)),
        );
      } catch (error) {
        throw placedFault(error, { ...naming(context, order.ready), root, rows: [] });
      }
    },
  };
}

/** The plan for what the data has, with the values of its parameters. */
function orderOf(context: Context, order: WriteOrder, data: DataValue | undefined): ChosenOrder {
  const { planId, ready, instant } = order;
  const present = presentProperties(chosenWriteOf(ready.plan.root), data);
  const chosen =
    present === undefined
      ? ready.plan
      : context.plans.variant(planId, ready.plan, [], present).plan;
  const values = readArguments(chosen, data, instant);
  const plan =
    values.variant.length === 0
      ? chosen
      : context.plans.variant(planId, ready.plan, values.variant, present).plan;
  return { plan, values, data, around: { now: instant, cipher: context.cipher } };
}
