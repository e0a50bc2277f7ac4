/**
 * Compiles the writer of a statement and its includes, which converts the bytes of rows to the
 * bytes of JSON, once for each plan and thread. Keys, separators and encoders are chosen before the
 * first row.
 */
import type { Include, StatementPlan } from '../compiled-query.js';
import { invariant } from '../errors.js';
import { isArray } from '../schema/array-types.js';
import type { PropertyType } from '../schema/model.js';
import { type OutputBytes, utf8Bytes, type WordText, wordText } from './output-bytes.js';
import { fieldLength, firstField, type RowBytes } from './row-bytes.js';
import { KeyReader, type RowKey } from './row-key.js';
import { type ByteEncoder, byteEncoder, type DecodeText } from './scalar-bytes.js';
import { indentedJson } from '../values/data-json.js';
import { scalarEncoder, stringJson } from '../values/scalar-json.js';
import { computedFields, type FieldOf } from './computed-fields.js';
import type { Cipher } from '../values/evaluate/capabilities.js';

export interface Layout {
  /** Whether to indent by two spaces, like `JSON.stringify(rows, null, 2)`. */
  readonly pretty: boolean;
  /** Whether NaN and infinities are strings instead of null, so that an import can store them. */
  readonly isExact?: boolean;
  /** How deep the list of rows is nested in its document; -1: a single row is the document. */
  readonly depth?: number;
  /** Decrypts values for `readValue`; only needed if the statement has any. */
  readonly cipher?: Cipher;
}

/** The bytes around and between the rows of a list. */
export interface ByteFrame {
  readonly open: Uint8Array;
  readonly separator: Uint8Array;
  readonly close: Uint8Array;
  readonly empty: Uint8Array;
}

export interface ByteWriter {
  readonly statement: StatementPlan;
  readonly includes: readonly ByteWriter[];
  readonly frame: ByteFrame;
  /** Writes one row with its included rows. */
  row(out: OutputBytes, fetched: FetchedBytes, row: number): void;
}

/** The rows of one statement, and the fetched rows of each of its includes. */
export interface FetchedBytes {
  readonly rows: RowBytes;
  readonly includes: readonly ChildBytes[];
}

/** The rows of an include, assigned to their parents. */
export interface ChildBytes {
  readonly fetched: FetchedBytes;
  /** For each parent row, its rows here, in order; undefined if there are none. */
  readonly rowsOfParent: readonly (readonly number[] | undefined)[];
}

const nothing = utf8Bytes('null');
const nullWords = wordText('null');
const emptyObject = utf8Bytes('{}');

/** Compiles the writer of a whole tree. */
export function createByteWriter(
  statement: StatementPlan,
  layout: Layout,
  decode: DecodeText,
): ByteWriter {
  const { pretty, depth = 0 } = layout;
  const includes = statement.includes.map(({ statement: child, cardinality }) => {
    const inner = cardinality === 'many' ? depth + 2 : depth + 1;
    return createByteWriter(child, { ...layout, depth: inner }, decode);
  });
  const row = rowWriter({ statement, includes, layout, depth: depth + 1, decode });
  return { statement, includes, frame: byteFrame(pretty, depth), row };
}

function byteFrame(pretty: boolean, depth: number): ByteFrame {
  const inner = pretty ? newLine(depth + 1) : '';
  return {
    open: utf8Bytes(`[${inner}`),
    separator: utf8Bytes(`,${inner}`),
    close: utf8Bytes(pretty ? `${newLine(depth)}]` : ']'),
    empty: utf8Bytes('[]'),
  };
}

const copyJson: ByteEncoder = (out, bytes, start, end) => out.copy(bytes, start, end);

/** Indents the JSON of a column of this type. */
function indented(
  type: PropertyType,
  depth: number,
  decode: DecodeText,
  isExact: boolean | undefined,
): ByteEncoder {
  const compact = scalarEncoder(type, isExact);
  return (out, bytes, start, end) =>
    out.constant(utf8Bytes(indentedJson(compact(decode(bytes, start, end)), depth)));
}

interface RowOptions {
  readonly statement: StatementPlan;
  readonly includes: readonly ByteWriter[];
  readonly layout: Layout;
  readonly depth: number;
  readonly decode: DecodeText;
}

/** In every statement, values come before keys, so a row is read once from its start. */
function rowWriter({ statement, includes, layout, depth, decode }: RowOptions): ByteWriter['row'] {
  const { pretty, isExact } = layout;
  const values = statement.columns.filter(({ role }) => role === 'value');
  invariant(
    statement.columns.slice(0, values.length).every(({ role }) => role === 'value'),
    'the values of a statement stand before its keys',
  );
  const names = [...values.map(({ name }) => name), ...statement.includes.map((i) => i.relation)];
  const prefixes = names.map((name, index) => wordText(keyPrefix(name, index, pretty, depth)));
  const encoders = values.map(({ type, isJson }) => {
    const isDocument = isJson || type === 'json' || isArray(type);
    if (pretty && isDocument) return indented(isJson ? 'json' : type, depth + 1, decode, isExact);
    return isJson ? copyJson : byteEncoder(type, decode, isExact);
  });
  const fieldOf = computedFields(values, decode, layout.cipher);
  const writers = { prefixes, encoders, absent: nullWords, fieldOf };
  const end = utf8Bytes(pretty ? `${newLine(depth)}}` : '}');
  if (names.length === 0) return (out) => out.constant(emptyObject);
  return (out, fetched, row) => {
    writeValues(out, fetched.rows, row, writers);
    for (let i = 0; i < includes.length; i += 1) {
      out.words(prefixes[encoders.length + i] ?? nullWords);
      writeInclude(out, statement.includes[i], includes[i], fetched.includes[i], row);
    }
    out.constant(end);
  };
}

/** How the values of a row are written. */
export interface ValueWriters {
  /** The text before each value. */
  readonly prefixes: readonly WordText[];
  readonly encoders: readonly ByteEncoder[];
  /** Stands for a value that is null. */
  readonly absent: WordText;
  /** Set if Rowgate computes some of the values. */
  readonly fieldOf: FieldOf | undefined;
}

export function writeValues(
  out: OutputBytes,
  rows: RowBytes,
  row: number,
  { prefixes, encoders, absent, fieldOf }: ValueWriters,
): void {
  const bytes = rows.buffers[row];
  const start = rows.starts[row];
  invariant(bytes && start !== undefined, 'a row of that index');
  let at = firstField(start);
  for (let i = 0; i < encoders.length; i += 1) {
    out.words(prefixes[i] ?? absent);
    if (fieldOf) {
      const field = fieldOf(rows, row, i);
      if (field) encoders[i]?.(out, field, 0, field.length);
      else out.words(absent);
      continue;
    }
    const length = fieldLength(bytes, at);
    at += 4;
    if (length < 0) {
      out.words(absent);
      continue;
    }
    encoders[i]?.(out, bytes, at, at + length);
    at += length;
  }
}

function writeInclude(
  out: OutputBytes,
  include: Include | undefined,
  writer: ByteWriter | undefined,
  children: ChildBytes | undefined,
  row: number,
): void {
  invariant(include && writer && children, 'a writer and rows for each include');
  const rows = children.rowsOfParent[row];
  const first = rows?.[0];
  if (include.cardinality === 'one') {
    if (first === undefined) out.constant(nothing);
    else writer.row(out, children.fetched, first);
  } else {
    writeList(out, writer, children.fetched, rows ?? noRows);
  }
}

const noRows: readonly number[] = [];

export function writeList(
  out: OutputBytes,
  writer: ByteWriter,
  fetched: FetchedBytes,
  rows: readonly number[],
): void {
  const { frame } = writer;
  if (rows.length === 0) return out.constant(frame.empty);
  out.constant(frame.open);
  for (let i = 0; i < rows.length; i += 1) {
    if (i > 0) out.constant(frame.separator);
    writer.row(out, fetched, rows[i] ?? 0);
  }
  out.constant(frame.close);
}

/**
 * The keys of children that the database considers equal to the key of a parent, although their texts differ: strings
 * by their collation, decimals of another scale.
 */
export type EqualKeys = ReadonlyMap<RowKey, readonly RowKey[]>;

/** Assigns the rows of an include to the rows of its parent. */
export function demultiplexChildren(
  include: Include,
  parents: RowBytes,
  fetched: FetchedBytes,
  {
    decode,
    equalKeys,
  }: { readonly decode: DecodeText; readonly equalKeys?: EqualKeys | undefined },
): ChildBytes {
  const groups = new Map<RowKey, number[]>();
  const childKeys = new KeyReader(fetched.rows, parentColumn(include), decode);
  for (let row = 0; row < fetched.rows.length; row += 1) {
    const key = childKeys.at(row);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const parentKeys = new KeyReader(parents, include.parentKeyColumn, decode);
  const rowsOfParent = parents.starts.map((_, row) => {
    const key = parentKeys.at(row);
    if (key === null) return undefined;
    const others = equalKeys?.get(key);
    if (others === undefined) return groups.get(key);
    const rows = [key, ...others].flatMap((each) => groups.get(each) ?? noRows);
    return rows.toSorted((one, other) => one - other);
  });
  return { fetched, rowsOfParent };
}

/** The distinct keys of the parents in the rows of an include. */
export function collectChildKeys(include: Include, rows: RowBytes, decode: DecodeText): string[] {
  return distinctKeys(rows, parentColumn(include), decode);
}

function parentColumn({ statement }: Include): number {
  const column = statement.columns.findIndex(({ role }) => role === 'parent');
  invariant(column !== -1, 'the statement of an include lists the key of its parent');
  return column;
}

/** The distinct keys of an include's parents; a null key has no children. */
export function collectByteKeys(include: Include, parents: RowBytes, decode: DecodeText): string[] {
  return distinctKeys(parents, include.parentKeyColumn, decode);
}

function distinctKeys(rows: RowBytes, column: number, decode: DecodeText): string[] {
  const keys = new Set<RowKey>();
  const reader = new KeyReader(rows, column, decode);
  for (let row = 0; row < rows.length; row += 1) {
    const key = reader.at(row);
    if (key !== null) keys.add(key);
  }
  return Array.from(keys, String);
}

function keyPrefix(name: string, index: number, pretty: boolean, depth: number): string {
  const start = index === 0 ? '{' : ',';
  const key = stringJson(name);
  return pretty ? `${start}${newLine(depth + 1)}${key}: ` : `${start}${key}:`;
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, depth))}`;
}
