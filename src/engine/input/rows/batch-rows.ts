/**
 * Groups the rows of one table into statements. The statements take effect in order, and consecutive
 * rows with the same properties are sent together, as arrays.
 */
import type { RowsWrite } from '../../compiled-write.js';
import { dialectOf } from '../../dialects/dialects.js';
import type { DialectName } from '../../schema/model.js';
import type { RowTarget } from '../../sql/write/row-text.js';
import type { ParameterizedStatement } from '../arguments.js';
import { RowBatch } from './row-batch.js';
import { findKeys, likenessOf, type RowLikeness } from './row-likeness.js';
import { factsOf } from './write-facts.js';
import type { WriteRow } from './write-row.js';

/**
 * The statements that write `rows` in their order, except that inserts with explicit keys come first.
 * `isApart`: each row has its own.
 */
export function batchRows(
  target: RowTarget,
  rows: readonly WriteRow[],
  isApart = false,
): readonly RowBatch[] {
  const { dialect } = target;
  const [only] = rows;
  if (only && rows.length === 1) return [new RowBatch(dialect, likenessOf(target, only), rows)];
  return runsOf(target, rows).flatMap(({ likeness, rows: run }) =>
    batchGroup(dialect, likeness, run, isApart),
  );
}

interface Run {
  readonly likeness: RowLikeness;
  readonly rows: WriteRow[];
}

/**
 * Groups consecutive rows with the same properties. A repeated key begins a new group, because one
 * statement changes a row only once.
 */
function runsOf(target: RowTarget, rows: readonly WriteRow[]): readonly Run[] {
  const { write } = target;
  const runs: Run[] = [];
  const keys = new Set<string>();
  for (const row of inWriteOrder(write, rows)) {
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

/**
 * The rows in the order in which they are written: those with explicit keys first, so that a generated
 * key cannot equal one of them.
 */
function inWriteOrder(write: RowsWrite, rows: readonly WriteRow[]): readonly WriteRow[] {
  const { generated } = factsOf(write);
  if (write.action !== 'insert' || generated.length === 0) return rows;
  const lacking = rows.map(
    ({ given }) => generated.filter(({ property }) => given.get(property) === undefined).length,
  );
  if (lacking.every((count) => count === lacking[0])) return rows;
  const counts = [...generated.keys(), generated.length];
  return counts.flatMap((count) => rows.filter((_, index) => lacking[index] === count));
}

/** The statements that move sequences past the explicit keys of a batch: one for each column that has any. */
export function sequenceStatements(
  { write, dialect }: RowTarget,
  rows: readonly WriteRow[],
): readonly ParameterizedStatement[] {
  const { moveSequence: text } = dialectOf(dialect).writes;
  if (text === undefined || write.action === 'update') return [];
  return factsOf(write).generated.flatMap(({ property, storedColumn }) => {
    let highest: bigint | undefined;
    let lowest: bigint | undefined;
    for (const { given } of rows) {
      const key = given.get(property);
      if (key === undefined || key === null) continue;
      const number = BigInt(key);
      if (highest === undefined || number > highest) highest = number;
      if (lowest === undefined || number < lowest) lowest = number;
    }
    if (highest === undefined) return [];
    return [{ text, parameters: [`${highest}`, `${lowest}`, write.table, storedColumn] }];
  });
}

/** The key by which an existing row is found; undefined if the row can only be inserted. */
function keyOf(write: RowsWrite, row: WriteRow): string | undefined {
  const names = findKeys(write, row);
  if (names.length === 0) return undefined;
  return names.map((name) => JSON.stringify(keyText(write, row, name))).join();
}

/** The text by which keys are compared: `007` and `7` are the same integer. */
function keyText({ fields }: RowsWrite, { given }: WriteRow, name: string) {
  const text = given.get(name) ?? null;
  const isInteger = fields.some(({ property, type }) => property === name && type === 'integer');
  return isInteger && text !== null ? `${name} ${BigInt(text)}` : `${name} ${text}`;
}

function batchGroup(
  dialect: DialectName,
  likeness: RowLikeness,
  group: readonly WriteRow[],
  isApart: boolean,
): RowBatch[] {
  const batches: RowBatch[] = [];
  for (let start = 0; start < group.length; ) {
    const isTogether = likeness.isMany && !isApart;
    const count = isTogether ? rowsAtOnce(dialect, likeness.width, group, start) : 1;
    batches.push(new RowBatch(dialect, likeness, group.slice(start, start + count)));
    start += count;
  }
  return batches;
}

/** The characters that count for a value besides its own. */
const AROUND = 4;

/** How many rows of the group from `start` on, with so many values each, one statement can write. */
export function rowsAtOnce(
  dialect: DialectName,
  width: number,
  group: readonly WriteRow[],
  start: number,
): number {
  const own = dialectOf(dialect).writes;
  const count = own.rowsAtOnce(group.length - start, width);
  if (own.charactersAtOnce === undefined) return count;
  let left = own.charactersAtOnce;
  const isOver = ({ characters }: WriteRow): boolean => {
    left -= characters + AROUND * width;
    return left < 0;
  };
  const fitting = group.slice(start, start + count).findIndex(isOver);
  return fitting === -1 ? count : own.rowsAtOnce(Math.max(fitting, 1), width);
}
