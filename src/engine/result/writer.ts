/**
 * The JSON writer of a sentence and its inclusions, made once per plan and thread: every key,
 * separator and encoder is settled before the first row.
 */
import type { Column, Sentence } from '../compiled-query.js';
import { invariant } from '../errors.js';
import type { Cipher } from './evaluate/capabilities.js';
import { indentedJson } from './data-json.js';
import { type ReadValue, readValueOf } from './read-value.js';
import { scalarEncoder, stringJson } from './scalar-json.js';

/** The fields of a row as the database sent them, in the order of the sentence's columns. */
export type Fields = readonly (string | null)[];

export interface Layout {
  /** Indent by two spaces, as `JSON.stringify(rows, null, 2)` does. */
  readonly pretty: boolean;
  /** Decrypts what a `readValue` reads; a sentence without any needs none. */
  readonly cipher?: Cipher;
}

/** What stands around and between the rows of a list. */
export interface ListFrame {
  readonly open: string;
  readonly separator: string;
  /** Closes a list that has rows. */
  readonly close: string;
  /** The whole text of a list without rows. */
  readonly empty: string;
}

export interface SentenceWriter {
  readonly sentence: Sentence;
  /** One for each inclusion of the sentence, in its order. */
  readonly inclusions: readonly SentenceWriter[];
  /** Around the rows of this sentence. */
  readonly frame: ListFrame;
  /** A row's JSON; `inclusions` holds the JSON text of each included relation. */
  row(fields: Fields, inclusions: readonly string[]): string;
}

/**
 * Compiles the writer of a whole tree; the rows of `sentence` are the items of the answer's list, or,
 * where one object is written, that row is the answer itself.
 */
export function createWriter(sentence: Sentence, layout: Layout): SentenceWriter {
  const { write } = sentence;
  const isOne = write?.kind === 'rows' && write.shape === 'one';
  return writerAt(sentence, layout, isOne ? -1 : 0);
}

/** The same writer with each row of its list on a line of its own. */
export function linesOf(writer: SentenceWriter): SentenceWriter {
  return { ...writer, frame: { open: '', separator: '\n', close: '\n', empty: '' } };
}

function writerAt(sentence: Sentence, layout: Layout, depth: number): SentenceWriter {
  const { pretty } = layout;
  const inclusions = sentence.inclusions.map(({ sentence: child, cardinality }) =>
    writerAt(child, layout, cardinality === 'many' ? depth + 2 : depth + 1),
  );
  const row = rowWriter(sentence, layout, depth + 1);
  return { sentence, inclusions, frame: listFrame(pretty, depth), row };
}

function listFrame(pretty: boolean, depth: number): ListFrame {
  if (depth < 0) return { open: '', separator: '', close: '', empty: 'null' };
  const inner = pretty ? newLine(depth + 1) : '';
  return {
    open: `[${inner}`,
    separator: `,${inner}`,
    close: pretty ? `${newLine(depth)}]` : ']',
    empty: '[]',
  };
}

/** The row of a list at `depth`; a to-one row stands where its list's frame would. */
function rowWriter(sentence: Sentence, layout: Layout, depth: number): SentenceWriter['row'] {
  const { pretty } = layout;
  const values = sentence.columns.flatMap((column, index) =>
    column.role === 'value'
      ? [{ index, name: column.name, encode: encoderOf(column, pretty ? depth + 1 : undefined) }]
      : [],
  );
  const names = [...values.map(({ name }) => name), ...sentence.inclusions.map((i) => i.relation)];
  if (names.length === 0) return () => '{}';
  const prefixes = names.map((name, index) => keyPrefix(name, index, pretty, depth));
  const indexes = values.map(({ index }) => index);
  const encoders = values.map(({ encode }) => encode);
  const reads = indexes.map((index) => readColumn(sentence.columns[index], layout));
  const end = pretty ? `${newLine(depth)}}` : '}';
  return (fields, inclusions) => {
    let text = '';
    for (let i = 0; i < encoders.length; i += 1) {
      const field = fields[indexes[i] ?? 0];
      const encode = encoders[i];
      invariant(encode, 'an encoder for each column');
      const read = reads[i];
      const own = read ? read((column) => fields[column] ?? null) : field;
      text += prefixes[i] + (own === null || own === undefined ? 'null' : encode(own));
    }
    for (let i = 0; i < inclusions.length; i += 1) {
      text += `${prefixes[encoders.length + i]}${inclusions[i]}`;
    }
    return text + end;
  };
}

function encoderOf({ type, isJson }: Column, depth: number | undefined): (text: string) => string {
  if (!isJson) return scalarEncoder(type);
  return (text) => (depth === undefined ? text : indentedJson(text, depth));
}

/** How a column is computed; undefined where it is answered as it is. */
export function readColumn(
  column: Column | undefined,
  { cipher }: Pick<Layout, 'cipher'>,
): ReadValue | undefined {
  if (!column?.read) return undefined;
  invariant(cipher, 'a writer that computes values is given a cipher');
  return readValueOf(column, cipher);
}

function keyPrefix(name: string, index: number, pretty: boolean, depth: number): string {
  const start = index === 0 ? '{' : ',';
  return pretty
    ? `${start}${newLine(depth + 1)}${stringJson(name)}: `
    : `${start}${stringJson(name)}:`;
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}
