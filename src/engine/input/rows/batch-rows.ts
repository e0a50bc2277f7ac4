/**
 * Rows of one table as statements: each takes effect after the one before, and neighbours that have the
 * same properties travel together, as arrays.
 */
import type { RowsWrite } from '../../compiled-write.js';
import { dialectOf } from '../../dialects/dialects.js';
import type { DialectName } from '../../schema/model.js';
import type { RowTarget } from '../../sql/write/row-text.js';
import { RowBatch, type RowStatement } from './row-batch.js';
import { findKeys, likenessOf, type RowLikeness } from './row-likeness.js';
import { factsOf } from './write-facts.js';
import type { WriteRow } from './write-row.js';

/** The statements that write `rows` in their order; inserts with keys of their own before the others. */
export function batchRows(target: RowTarget, rows: readonly WriteRow[]): readonly RowBatch[] {
  const { dialect } = target;
  const [only] = rows;
  if (only && rows.length === 1) return [new RowBatch(dialect, likenessOf(target, only), rows)];
  return runsOf(target, rows).flatMap(({ likeness, rows: run }) =>
    batchGroup(dialect, likeness, run),
  );
}

interface Run {
  readonly likeness: RowLikeness;
  readonly rows: WriteRow[];
}

/** Neighbours that have the same properties, and no key twice: one statement changes a row once. */
function runsOf(target: RowTarget, rows: readonly WriteRow[]): readonly Run[] {
  const { write } = target;
  const runs: Run[] = [];
  const keys = new Set<string>();
  for (const row of settled(write, rows)) {
    const likeness = likenessOf(target, row);
    const key = keyOf(write, row);
    const last = runs.at(-1);
    if (last?.likeness === likeness && (key === undefined || !keys.has(key))) last.rows.push(row);
    else {
      runs.push({ likeness, rows: [row] });
      keys.clear();
    }
    if (key !== undefined) keys.add(key);
  }
  return runs;
}

/** A key that the database makes for a new row must be none of those that other new rows have. */
function settled(write: RowsWrite, rows: readonly WriteRow[]): readonly WriteRow[] {
  const { generated } = factsOf(write);
  if (write.action !== 'insert' || generated === undefined) return rows;
  const explicit = rows.filter(({ given }) => given.at(generated) !== undefined);
  if (explicit.length === 0 || explicit.length === rows.length) return rows;
  return [...explicit, ...rows.filter(({ given }) => given.at(generated) === undefined)];
}

/** What a batch's explicit keys have the sequence moved past; undefined without any. */
export function sequenceStatement(
  { write, dialect }: RowTarget,
  rows: readonly WriteRow[],
): RowStatement | undefined {
  const { generated } = factsOf(write);
  const field = generated === undefined ? undefined : write.fields[generated];
  const { moveSequence } = dialectOf(dialect).writes;
  if (!field || moveSequence === undefined || write.action === 'update') return undefined;
  let highest = 0n;
  for (const { given } of rows) {
    const key = given.get(field.property) ?? undefined;
    if (key !== undefined && BigInt(key) > highest) highest = BigInt(key);
  }
  if (highest === 0n) return undefined;
  return { text: moveSequence, parameters: [`${highest}`, write.table, field.storedColumn] };
}

/** The key by which a row is found that is there; undefined where it can only be inserted. */
function keyOf(write: RowsWrite, row: WriteRow): string | undefined {
  const names = findKeys(write, row);
  if (names.length === 0) return undefined;
  return names.map((name) => JSON.stringify(keyText(write, row, name))).join();
}

/** `007` and `7` are the same key. */
function keyText({ fields }: RowsWrite, { given }: WriteRow, name: string) {
  const text = given.get(name) ?? null;
  const isInteger = fields.some(({ property, type }) => property === name && type === 'integer');
  return isInteger && text !== null ? `${name} ${BigInt(text)}` : `${name} ${text}`;
}

function batchGroup(
  dialect: DialectName,
  likeness: RowLikeness,
  group: readonly WriteRow[],
): RowBatch[] {
  const own = dialectOf(dialect).writes;
  const { isMany, width } = likeness;
  const batches: RowBatch[] = [];
  for (let start = 0; start < group.length; ) {
    const count = isMany ? own.rowsAtOnce(group.length - start, width) : 1;
    batches.push(new RowBatch(dialect, likeness, group.slice(start, start + count)));
    start += count;
  }
  return batches;
}
