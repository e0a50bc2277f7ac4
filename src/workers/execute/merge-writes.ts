/**
 * Merges writes of several requests that differ only in their values: inserts of one row become one
 * INSERT of several rows, and updates by a key become one that takes keys and values from a derived
 * table.
 */
import { addToGroup } from '../add-to-group.js';
import {
  columnArrays,
  type DialectName,
  type MergedUpdate,
  mergedStatement,
  type ParameterValues,
  RowBytes,
  type RowBatch,
  type StatementPlan,
} from '../../engine/index.js';
import type { TransactionMode } from '../database/connection.js';
import type { Source } from '../database/source.js';
import type { Statement, Written } from '../database/statement.js';
import { textsOf } from './batch.js';
import { askBeside, LateAnswer } from './late-answer.js';
import { storedText } from './stored-text.js';
import { derivedText, describeTypes } from './strategy.js';

/** How a statement can be merged with similar ones. */
export type Mergeable =
  | {
      readonly kind: 'insert';
      /** Its table, as written in SQL. */
      readonly into: string;
      readonly dialect: DialectName;
      readonly batch: RowBatch;
    }
  | {
      readonly kind: 'update';
      /** Its table, as written in SQL. */
      readonly into: string;
      readonly merged: MergedUpdate;
      readonly plan: StatementPlan;
      readonly values: ParameterValues;
    };

export interface WriteStatement extends Statement {
  readonly merge?: Mergeable | undefined;
}

/** One statement for several. */
interface Merged {
  readonly statement: Statement;
  split(written: Written): readonly Written[];
}

/** The merged statements, and how their results are split again. */
export interface MergedWrites {
  readonly statements: readonly Statement[];
  split(written: readonly Written[]): readonly Written[];
}

/** Merging is worthwhile from this many statements. */
const MERGE_MIN = 2;

export class WriteMerger {
  readonly #source: Source;
  /** Kinds of statements that failed when merged, in a way in which single ones do not. */
  readonly #unmergeable = new WeakSet<object>();
  /** The merged texts, which contain the types of arguments; null if an update cannot be merged. */
  readonly #updates = new WeakMap<MergedUpdate, LateAnswer<string | null>>();
  /** By table: whether writes to it can share a statement. */
  readonly #tables = new Map<string, LateAnswer<boolean>>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** Merges statements; each of them is everything that its request writes. */
  merge(given: readonly WriteStatement[]): MergedWrites {
    const groups = new Map<object, number[]>();
    for (const [index, { merge }] of given.entries()) {
      const kind = merge ? kindOf(merge) : undefined;
      if (kind && !this.#unmergeable.has(kind)) addToGroup(groups, kind, index);
    }
    const statements: Statement[] = [];
    const splits: ((written: Written, all: Written[]) => void)[] = [];
    const isDone = new Set<number>();
    for (const group of groups.values()) {
      const some = distinct(given, group);
      const merged = some.length < MERGE_MIN ? undefined : this.#merged(given, some);
      if (!merged) continue;
      for (const index of some) isDone.add(index);
      statements.push(merged.statement);
      splits.push((written, all) => {
        for (const [at, each] of merged.split(written).entries()) all[some[at] ?? 0] = each;
      });
    }
    for (const [index, statement] of given.entries()) {
      if (isDone.has(index)) continue;
      statements.push(statement);
      splits.push((written, all) => {
        all[index] = written;
      });
    }
    return {
      statements,
      split: (results) => {
        const all: Written[] = [];
        for (const [at, split] of splits.entries()) split(results[at] ?? nothing, all);
        return all;
      },
    };
  }

  /** Never merges statements like these again. */
  giveUp(given: readonly WriteStatement[]): void {
    for (const { merge } of given) if (merge) this.#unmergeable.add(kindOf(merge));
  }

  #merged(given: readonly WriteStatement[], some: readonly number[]): Merged | undefined {
    const [first] = some.flatMap((index) => given[index] ?? []);
    if (!first?.merge || !this.#takesMerged(first.merge.into)) return undefined;
    const all = some.flatMap((index) => given[index]?.merge ?? []);
    return first.merge.kind === 'insert'
      ? mergeInserts(first, first.merge, all)
      : this.#mergeUpdates(first, first.merge, all);
  }

  #mergeUpdates(
    first: WriteStatement,
    { plan, merged }: Extract<Mergeable, { kind: 'update' }>,
    all: readonly Mergeable[],
  ): Merged | undefined {
    const text = this.#textOf(merged, first);
    if (text == null) return undefined;
    const { listed, shared } = merged;
    const rows = all.flatMap((each) =>
      each.kind === 'update' ? [textsOf(plan, listed, each.values)] : [],
    );
    const [own] = all;
    const common = own?.kind === 'update' ? textsOf(plan, shared, own.values) : [];
    const { table } = first;
    const parameters = [...columnArrays(rows), ...common];
    return {
      statement: { text, parameters, table },
      split: ({ rows: returned }) => countEach(returned, all.length),
    };
  }

  /** Until the types of its arguments are known, updates run one by one. */
  #textOf(merged: MergedUpdate, { text, parameters }: Statement): string | null | undefined {
    let answer = this.#updates.get(merged);
    if (!answer) {
      const statement = { text, parameters };
      answer = new LateAnswer(async () => {
        const described = await describeTypes(this.#source, statement, { mode: undone });
        return (described && derivedText(merged, described.types)) ?? null;
      });
      this.#updates.set(merged, answer);
    }
    return answer.value;
  }

  /** False until the database has told. */
  #takesMerged(table: string): boolean {
    const { mergesWrites } = this.#source.driver;
    if (!mergesWrites) return false;
    let answer = this.#tables.get(table);
    if (!answer) {
      answer = new LateAnswer(() => askBeside(this.#source, (lease) => mergesWrites(lease, table)));
      this.#tables.set(table, answer);
    }
    return answer.value === true;
  }
}

/** The transaction of a lease, which nothing commits. */
const undone: TransactionMode = { isolation: undefined, readOnly: false };

const nothing: Written = { rows: new RowBytes(), count: 0 };

/** Statements of the same kind can be merged. */
function kindOf(merge: Mergeable): object {
  return merge.kind === 'insert' ? merge.batch.likeness : merge.merged;
}

/** The first update of each key, in order, because one statement changes a row only once. */
function distinct(given: readonly WriteStatement[], group: readonly number[]): readonly number[] {
  const keyed: { readonly index: number; readonly key: bigint }[] = [];
  const keys = new Set<bigint>();
  for (const index of group) {
    const merge = given[index]?.merge;
    if (merge?.kind !== 'update') return group;
    const text = merge.values.texts.get(merge.merged.parameter);
    if (typeof text !== 'string' || !/^-?\d+$/.test(text)) continue;
    const key = BigInt(text);
    if (keys.has(key)) continue;
    keys.add(key);
    keyed.push({ index, key });
  }
  // If all transactions lock rows in the same order, they cannot deadlock.
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ index }) => index);
}

function mergeInserts(
  { table }: WriteStatement,
  { dialect, batch }: Extract<Mergeable, { kind: 'insert' }>,
  all: readonly Mergeable[],
): Merged | undefined {
  const batches = all.flatMap((each) => (each.kind === 'insert' ? [each.batch] : []));
  const statement = mergedStatement(dialect, batch.likeness, batches);
  if (!statement) return undefined;
  return {
    statement: { text: statement.text, parameters: statement.parameters, table },
    split: ({ rows }) =>
      batches.map((_, index) => {
        const row = rows.at(index);
        const own = new RowBytes();
        if (row) own.push(row.bytes, row.start);
        return { rows: own, count: own.length };
      }),
  };
}

/** How many rows each of `size` updates has written, by the numbers that the statement returns. */
function countEach(returned: RowBytes, size: number): readonly Written[] {
  const counts = Array.from({ length: size }, () => 0);
  for (let at = 0; at < returned.length; at += 1) {
    const row = returned.at(at);
    const number = row ? Number(storedText(row, 0)) - 1 : -1;
    counts[number] = (counts[number] ?? 0) + 1;
  }
  return counts.map((count) => ({ rows: nothing.rows, count }));
}
