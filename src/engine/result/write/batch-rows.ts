/**
 * Rows of one table as statements: those that have the same properties travel together, as arrays;
 * rows with the same key in the order of the data, each after the one before.
 */
import type { RowsWrite } from '../../compiled-write.js';
import { dialectOf } from '../../sql/dialects.js';
import { renderRowText, type RowTarget, type RowText } from '../../sql/write/row-text.js';
import { writeDialectOf } from '../../sql/write/write-dialects.js';
import type { WriteRow } from './write-row.js';

/** A statement, and the rows that it writes. */
export interface RowBatch {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
  readonly rows: readonly WriteRow[];
  /** Whether the first column returned is the row's number, from 1. */
  readonly isNumbered: boolean;
  /** Whether every row must be in the table. */
  readonly mustExist: boolean;
  /** Whether a row is left alone, and not returned, when its key is another entity's. */
  readonly isGuarded: boolean;
  /** Whether the rows have keys of their own where the database would make them. */
  readonly isExplicit: boolean;
}

/** Rows of a statement, so that neither its text nor its parameters grow without bound. */
const BATCH_ROWS_MAX = 5000;

/** The statements that write `rows`, in an order in which they can run. */
export function batchRows(target: RowTarget, rows: readonly WriteRow[]): RowBatch[] {
  const { write } = target;
  const [only] = rows;
  if (only && rows.length === 1) return batchGroup(target, maskOf(write, only), rows);
  return inWaves(write, rows).flatMap((wave) => {
    const groups = new Map<string, WriteRow[]>();
    for (const row of wave) {
      const mask = maskOf(write, row);
      const group = groups.get(mask);
      if (group) group.push(row);
      else groups.set(mask, [row]);
    }
    const explicitFirst = [...groups].sort(
      ([, left], [, right]) => Number(isExplicit(write, right)) - Number(isExplicit(write, left)),
    );
    return explicitFirst.flatMap(([mask, group]) => batchGroup(target, mask, group));
  });
}

/** What a batch's explicit keys have the sequence moved past; undefined without any. */
export function sequenceStatement(
  { write, dialect }: RowTarget,
  rows: readonly WriteRow[],
): Pick<RowBatch, 'text' | 'parameters'> | undefined {
  const { moveSequence } = writeDialectOf(dialect);
  const field = write.fields.find(({ generated }) => generated);
  if (!field || moveSequence === undefined || write.action === 'update') return undefined;
  const keys = rows.flatMap(({ given }) => given.get(field.property) ?? []);
  if (keys.length === 0) return undefined;
  const highest = keys.map(BigInt).reduce((one, other) => (one > other ? one : other));
  if (highest <= 0n) return undefined;
  return { text: moveSequence, parameters: [`${highest}`, write.table, field.storedColumn] };
}

/** The keys by which a row that is there is found; none where it can only be inserted. */
function findKeys(write: RowsWrite, row: WriteRow): readonly string[] {
  const { action, primaryKey, uniqueKey } = write;
  if (action === 'insert') return [];
  if (action === 'update') return withFixed(write, primaryKey);
  const isComplete = (key: readonly string[]) =>
    key.length > 0 && key.every((name) => row.given.get(name) != null);
  return [primaryKey, uniqueKey].find(isComplete) ?? [];
}

/** What is fixed in an entity tells its rows from others of the same table. */
function withFixed({ fields }: RowsWrite, keys: readonly string[]): readonly string[] {
  const fixed = fields.flatMap(({ property, fixed: text }) =>
    text === undefined ? [] : [property],
  );
  return [...new Set([...keys, ...fixed])];
}

/** Rows whose keys are the same stand in waves of their own. */
function inWaves(write: RowsWrite, rows: readonly WriteRow[]): readonly (readonly WriteRow[])[] {
  if (write.action === 'insert' || rows.length === 1) return [rows];
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

function maskOf(write: RowsWrite, row: WriteRow): string {
  const { given, defaults } = row;
  let mask = '';
  for (const { property } of write.fields) {
    mask += given.has(property) ? 'g' : defaults.has(property) ? 'd' : '-';
  }
  return `${mask}${findKeys(write, row).join(' ')}`;
}

function isExplicit({ fields }: RowsWrite, [row]: readonly WriteRow[]): boolean {
  return fields.some(({ generated, property }) => generated && row?.given.has(property));
}

/** Rows that have the same properties: `mask` tells them. */
function batchGroup(target: RowTarget, mask: string, group: readonly WriteRow[]): RowBatch[] {
  const [first] = group;
  if (!first) return [];
  const { write, dialect } = target;
  const own = dialectOf(dialect);
  const mustExist = isPartial(write, first);
  const explicit = isExplicit(write, group);
  const isGuarded = !mustExist && hasGuard(write, first);
  const size = first.given.size + first.defaults.size === 0 ? 1 : BATCH_ROWS_MAX;
  const batches: RowBatch[] = [];
  for (let start = 0; start < group.length; start += size) {
    const rows = group.slice(start, start + size);
    const { text, fields, isNumbered } = knownText(target, mask, {
      first,
      mustExist,
      many: rows.length > 1,
    });
    const texts = rows.map(({ given, defaults }) =>
      fields.map(({ property, type }) => {
        const value = given.get(property) ?? defaults.get(property) ?? null;
        return value === null ? null : own.scalar(value, type);
      }),
    );
    const [only] = texts;
    const parameters =
      rows.length === 1 && only ? only : writeDialectOf(dialect).givenParameters(texts);
    batches.push({
      text,
      parameters,
      rows,
      isNumbered,
      mustExist,
      isGuarded,
      isExplicit: explicit,
    });
  }
  return batches;
}

/** Whether an upsert finds rows by a key that other entities of the table share. */
function hasGuard(write: RowsWrite, row: WriteRow): boolean {
  const keys = findKeys(write, row);
  if (write.action !== 'upsert' || keys.length === 0) return false;
  return withFixed(write, keys).length > keys.length;
}

/** A row without what an insert needs can only be one that is there. */
function isPartial(write: RowsWrite, row: WriteRow): boolean {
  if (write.action !== 'upsert' || findKeys(write, row).length === 0) return false;
  return write.fields.some(
    ({ property, required, generated }) =>
      required && !generated && !row.given.has(property) && !row.defaults.has(property),
  );
}

/** Texts are few, since requests look alike; should they not, all are forgotten. */
const TEXTS_MAX = 1000;
const texts = new WeakMap<RowsWrite, Map<string, RowText>>();

interface TextWish {
  readonly first: WriteRow;
  readonly mustExist: boolean;
  readonly many: boolean;
}

function knownText(target: RowTarget, mask: string, { first, mustExist, many }: TextWish): RowText {
  const { write } = target;
  const known = texts.get(write) ?? new Map<string, RowText>();
  texts.set(write, known);
  const id = many ? `*${mask}` : mask;
  const text = known.get(id);
  if (text) return text;
  if (known.size >= TEXTS_MAX) known.clear();
  const rendered = renderRowText(target, {
    action: mustExist ? 'update' : write.action,
    given: new Set(first.given.keys()),
    defaulted: new Set(first.defaults.keys()),
    keys: mustExist ? withFixed(write, findKeys(write, first)) : findKeys(write, first),
    many,
  });
  known.set(id, rendered);
  return rendered;
}
