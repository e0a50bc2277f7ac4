/**
 * Rows of one table as statements: each takes effect after the one before, and neighbours that have the
 * same properties travel together, as arrays.
 */
import type { RowsWrite, WriteField } from '../../compiled-write.js';
import type { DialectName, PropertyType } from '../../schema/model.js';
import { dialectOf } from '../../sql/dialects.js';
import {
  renderRowText,
  type RowShape,
  type RowTarget,
  type RowText,
  takesMany,
} from '../../sql/write/row-text.js';
import { writeDialectOf } from '../../sql/write/write-dialects.js';
import type { WriteRow } from './write-row.js';

/** A statement, and the rows that it writes. */
export interface RowBatch extends RowStatement {
  readonly rows: readonly WriteRow[];
  /** Whether the first column returned is the row's number, from 1. */
  readonly isNumbered: boolean;
  /** Whether every row must be in the table. */
  readonly mustExist: boolean;
  /** Whether a row is left alone when its key is that of one that may not be touched. */
  readonly isGuarded: boolean;
  /** The stored names of the columns by which an upsert finds a row. */
  readonly keyColumns: readonly string[];
  /** Whether the rows have keys of their own where the database would make them. */
  readonly isExplicit: boolean;
  /** The statement behind it that reads the rows, where it does not return them itself. */
  readonly reread?: RowStatement;
  /** Whether nothing can read the rows: they are taken to be stored as they were given. */
  readonly isEchoed: boolean;
  /** The statement of one of the rows alone. */
  readonly alone: (row: number) => RowStatement;
  /** Of an upsert: the INSERT of one of the rows, which tells the key that is taken. */
  readonly inserted?: (row: number) => RowStatement;
}

/** A text with its parameters. */
export interface RowStatement {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
  /** What the texts are, where the database is not told by the sentence. */
  readonly types?: readonly PropertyType[];
}

/** The statements that write `rows` in their order; inserts with keys of their own before the others. */
export function batchRows(target: RowTarget, rows: readonly WriteRow[]): RowBatch[] {
  const { write } = target;
  const [only] = rows;
  if (only && rows.length === 1) return batchGroup(target, maskOf(write, only), rows);
  return runsOf(write, settled(write, rows)).flatMap(({ mask, rows: run }) =>
    batchGroup(target, mask, run),
  );
}

/** A key that the database makes for a new row must be none of those that other new rows have. */
function settled(write: RowsWrite, rows: readonly WriteRow[]): readonly WriteRow[] {
  if (write.action !== 'insert') return rows;
  const explicit = rows.filter((row) => isExplicit(write, row));
  if (explicit.length === 0) return rows;
  return [...explicit, ...rows.filter((row) => !isExplicit(write, row))];
}

interface Run {
  readonly mask: string;
  readonly rows: readonly WriteRow[];
}

/** Neighbours that have the same properties, and no key twice: one statement changes a row once. */
function runsOf(write: RowsWrite, rows: readonly WriteRow[]): readonly Run[] {
  const runs: { mask: string; rows: WriteRow[] }[] = [];
  const keys = new Set<string>();
  for (const row of rows) {
    const mask = maskOf(write, row);
    const key = keyOf(write, row);
    const last = runs.at(-1);
    if (last?.mask === mask && (key === undefined || !keys.has(key))) last.rows.push(row);
    else {
      runs.push({ mask, rows: [row] });
      keys.clear();
    }
    if (key !== undefined) keys.add(key);
  }
  return runs;
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

/** Rows with the same mask have the same statement. */
function maskOf(write: RowsWrite, row: WriteRow): string {
  const { given, defaults } = row;
  // A new row has its defaults as it has other values.
  const isNew = write.action === 'insert';
  let mask = '';
  for (const { property } of write.fields) {
    mask += given.has(property) ? 'g' : defaults.has(property) ? (isNew ? 'g' : 'd') : '-';
  }
  return `${mask}${findKeys(write, row).join(' ')}`;
}

/** Whether a row has a key of its own where the database would make one. */
function isExplicit({ fields }: RowsWrite, { given }: WriteRow): boolean {
  return fields.some(({ generated, property }) => generated && given.has(property));
}

/** Rows that have the same properties: `mask` tells them. */
function batchGroup(target: RowTarget, mask: string, group: readonly WriteRow[]): RowBatch[] {
  const [first] = group;
  if (!first) return [];
  const own = writeDialectOf(target.dialect);
  const shape = shapeOf(target.write, first);
  const isMany = shape.given.size + shape.defaulted.size > 0 && takesMany(target, shape);
  const batches: RowBatch[] = [];
  for (let start = 0; start < group.length; ) {
    const fields = first.given.size + first.defaults.size;
    const count = isMany ? own.rowsAtOnce(group.length - start, fields) : 1;
    batches.push(batchOf(target, { mask, shape, rows: group.slice(start, start + count) }));
    start += count;
  }
  return batches;
}

/** Whether an upsert finds rows by a key that other entities of the table share. */
function hasGuard(write: RowsWrite, row: WriteRow): boolean {
  const keys = findKeys(write, row);
  if (write.action !== 'upsert' || keys.length === 0) return false;
  return write.guard !== undefined || withFixed(write, keys).length > keys.length;
}

/** Rows of one statement, and what they have in common. */
interface LikeRows {
  readonly mask: string;
  readonly shape: RowShape;
  readonly rows: readonly WriteRow[];
}

function batchOf(target: RowTarget, { mask, shape, rows }: LikeRows): RowBatch {
  const { write, dialect } = target;
  const [first] = rows;
  const mustExist = shape.action !== write.action;
  const texts = (count: number) => knownText(target, mask, { ...shape, rows: count });
  const { fields, reread, isNumbered } = texts(rows.length);
  const alone = (index: number) => rowStatement(dialect, texts(1), rows[index]);
  const insert = { ...shape, action: 'insert', keys: [] } as const;
  const inserted = (index: number) =>
    rowStatement(dialect, knownText(target, `+${mask}`, { ...insert, rows: 1 }), rows[index]);
  return {
    text: texts(rows.length).text,
    parameters: parametersOf(dialect, fields, rows),
    ...typesOf(dialect, fields, rows.length),
    rows,
    isNumbered,
    mustExist,
    isGuarded: !mustExist && first !== undefined && hasGuard(write, first),
    keyColumns: write.fields.flatMap(({ property, storedColumn }) =>
      shape.action === 'upsert' && shape.keys.includes(property) ? [storedColumn] : [],
    ),
    isExplicit: first !== undefined && isExplicit(write, first),
    isEchoed: reread !== undefined && reread.text === undefined,
    alone,
    ...(shape.action === 'upsert' && shape.keys.length > 0 && { inserted }),
    ...(reread?.text !== undefined && {
      reread: rowStatement(dialect, { text: reread.text, fields: reread.fields }, first),
    }),
  };
}

function rowStatement(
  dialect: DialectName,
  { text, fields }: Pick<RowText, 'text' | 'fields'>,
  row: WriteRow | undefined,
): RowStatement {
  return { text, parameters: rowTexts(dialect, fields, row), ...typesOf(dialect, fields, 1) };
}

/** Of lists, the sentence tells the types. */
function typesOf(dialect: DialectName, fields: readonly WriteField[], rows: number) {
  if (writeDialectOf(dialect).lists) return {};
  const own = fields.map(({ type }) => type);
  return { types: rows === 1 ? own : Array.from({ length: rows }, () => own).flat() };
}

function parametersOf(
  dialect: DialectName,
  fields: readonly WriteField[],
  rows: readonly WriteRow[],
): readonly (string | null)[] {
  const texts = rows.map((row) => rowTexts(dialect, fields, row));
  const { lists } = writeDialectOf(dialect);
  return rows.length > 1 && lists ? lists.parameters(texts) : texts.flat();
}

function rowTexts(dialect: DialectName, fields: readonly WriteField[], row: WriteRow | undefined) {
  const own = dialectOf(dialect);
  return fields.map(({ property, type }) => {
    const value = row?.given.get(property) ?? row?.defaults.get(property) ?? null;
    return value === null ? null : own.scalar(value, type);
  });
}

function shapeOf(write: RowsWrite, first: WriteRow): RowShape {
  const mustExist = isPartial(write, first);
  const keys = findKeys(write, first);
  return {
    action: mustExist ? 'update' : write.action,
    given: new Set(first.given.keys()),
    defaulted: new Set(first.defaults.keys()),
    keys: mustExist ? withFixed(write, keys) : keys,
    rows: 1,
  };
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

function knownText(target: RowTarget, mask: string, shape: RowShape): RowText {
  const { write } = target;
  const known = texts.get(write) ?? new Map<string, RowText>();
  texts.set(write, known);
  const rows = writeDialectOf(target.dialect).lists ? Math.min(shape.rows, 2) : shape.rows;
  const id = rows === 1 ? mask : `${rows}*${mask}`;
  const text = known.get(id);
  if (text) return text;
  if (known.size >= TEXTS_MAX) known.clear();
  const rendered = renderRowText(target, { ...shape, rows });
  known.set(id, rendered);
  return rendered;
}
