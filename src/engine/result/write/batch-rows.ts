/**
 * Rows of one table as statements: those that have the same properties travel together, as arrays;
 * rows with the same key in the order of the data, each after the one before.
 */
import type { RowsWrite } from '../../compiled-write.js';
import type { DialectName } from '../../schema/model.js';
import type { RowTarget } from '../../sql/write/row-text.js';
import { writeDialectOf } from '../../sql/write/write-dialects.js';
import { RowBatch, type RowStatement } from './row-batch.js';
import { findKeys, likenessOf, type RowLikeness } from './row-likeness.js';
import { factsOf } from './write-facts.js';
import type { WriteRow } from './write-row.js';

/** The statements that write `rows`, in an order in which they can run. */
export function batchRows(target: RowTarget, rows: readonly WriteRow[]): readonly RowBatch[] {
  const { write, dialect } = target;
  const [only] = rows;
  if (only && rows.length === 1) return [new RowBatch(dialect, likenessOf(target, only), rows)];
  return inWaves(write, rows).flatMap((wave) => {
    const groups = new Map<RowLikeness, WriteRow[]>();
    for (const row of wave) {
      const likeness = likenessOf(target, row);
      const group = groups.get(likeness);
      if (group) group.push(row);
      else groups.set(likeness, [row]);
    }
    const explicitFirst = [...groups].sort(
      ([left], [right]) => Number(right.isExplicit) - Number(left.isExplicit),
    );
    return explicitFirst.flatMap(([likeness, group]) => batchGroup(dialect, likeness, group));
  });
}

/** What a batch's explicit keys have the sequence moved past; undefined without any. */
export function sequenceStatement(
  { write, dialect }: RowTarget,
  rows: readonly WriteRow[],
): RowStatement | undefined {
  const { generated } = factsOf(write);
  const field = generated === undefined ? undefined : write.fields[generated];
  const { moveSequence } = writeDialectOf(dialect);
  if (!field || moveSequence === undefined || write.action === 'update') return undefined;
  let highest = 0n;
  for (const { given } of rows) {
    const key = given.get(field.property) ?? undefined;
    if (key !== undefined && BigInt(key) > highest) highest = BigInt(key);
  }
  if (highest === 0n) return undefined;
  return { text: moveSequence, parameters: [`${highest}`, write.table, field.storedColumn] };
}

/** Rows whose keys are the same stand in waves of their own. */
function inWaves(write: RowsWrite, rows: readonly WriteRow[]): readonly (readonly WriteRow[])[] {
  if (write.action === 'insert') return [rows];
  const counts = new Map<string, number>();
  const waves: WriteRow[][] = [];
  for (const row of rows) {
    const keys = findKeys(write, row);
    const id = keys.map((name) => JSON.stringify(keyText(write, row, name))).join();
    const wave = keys.length === 0 ? 0 : (counts.get(id) ?? 0);
    counts.set(id, wave + 1);
    const own = waves[wave];
    if (own) own.push(row);
    else waves.push([row]);
  }
  return waves;
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
  const own = writeDialectOf(dialect);
  const { isMany, width } = likeness;
  const batches: RowBatch[] = [];
  for (let start = 0; start < group.length; ) {
    const count = isMany ? own.rowsAtOnce(group.length - start, width) : 1;
    batches.push(new RowBatch(dialect, likeness, group.slice(start, start + count)));
    start += count;
  }
  return batches;
}
