/**
 * Splits the document of an import while it arrives: rows are passed on as bytes, and the few bytes
 * around them are collected and parsed separately. It looks only at brackets and quotes; rows are
 * parsed later. `npm run bench -- --only import` measures it.
 */
import type { DataValue } from '../../engine/index.js';
import { parseBytes } from '../parse-data.js';
import { checkDocument, checkEntity, malformed, wrongEntity } from './document-members.js';

/** Some rows of one list. */
export interface RowsPiece {
  /** The rows and the commas between them. Except at the start of the list, a comma comes first. */
  readonly bytes: Buffer;
  /** The end of each row in the bytes. */
  readonly ends: readonly number[];
  /** The number of the first row in its list, from 0. */
  readonly first: number;
  /** The offset of the bytes in the document. */
  readonly offset: number;
}

/** Receives what the scanner finds, in the order of the document. */
export interface DocumentSink {
  /**
   * A list of rows begins. `isStored`: their values are the stored ones, as in a complete export.
   */
  open(entity: string, place: string, isStored: boolean): void;
  /** Some rows of the current list. */
  rows(piece: RowsPiece): void;
}

const MIB = 1 << 20;
/** The most bytes of a row with its nested rows. */
const ROW_BYTES_MAX = 64 * MIB;
/** The most bytes of rows that come before the name of their entity. */
const UNNAMED_BYTES_MAX = 8 * MIB;
/** The most bytes around the entities, or around the rows of one. */
const AROUND_BYTES_MAX = MIB;
/** The most brackets that may be open at once. */
const DEPTH_MAX = 100;

/** The number of open brackets in the document, in `entities`, in one of them, and in its rows. */
const DOCUMENT = 1;
const ENTITIES = 2;
const ENTITY = 3;
const ROWS = 4;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** This bit turns a bracket into a brace; no other byte becomes one. */
const BRACE_BIT = 0x20;
/** The last of the bytes that JSON allows around values; the others below it are errors. */
const BLANK = 0x20;
const EMPTY_OBJECT = Buffer.from('{}');
const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);
const EXPECTED = 'Expected an export: {"entities": [{"entity": "Orders", "rows": [{…}]}]}.';

export class DocumentScanner {
  readonly #sink: DocumentSink;
  /**
   * The document without its entities, the current entity without its rows, and rows not passed on
   * yet.
   */
  readonly #document = new GatheredBytes();
  readonly #entity = new GatheredBytes();
  readonly #rows = new GatheredBytes();
  #ends: number[] = [];
  #depth = 0;
  #isInText = false;
  #isAfterBackslash = false;
  /** The number of bytes before those of this call. */
  #base = 0;
  #rowsOffset = 0;
  #rowCount = 0;
  #entityIndex = -1;
  #isStored: boolean | undefined;
  #hasRows = false;
  /** The name of the current entity, once its rows have begun or it has ended. */
  #name: string | undefined;

  constructor(sink: DocumentSink) {
    this.#sink = sink;
  }

  /** The place that the scanner has reached. */
  get place(): string {
    const entity = `entities[${this.#entityIndex}]`;
    if (this.#depth > ROWS) return `${entity}.rows[${this.#rowCount + this.#ends.length}]`;
    if (this.#depth === ROWS) return `${entity}.rows`;
    if (this.#depth === ENTITY) return entity;
    return this.#depth === ENTITIES ? 'entities' : '';
  }

  /** Scans more bytes, which it may keep. Throws `import-malformed`, or what the sink throws. */
  write(bytes: Buffer): void {
    let from = 0;
    let at = this.#isInText ? this.#endOfText(bytes, 0) : 0;
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      at += 1;
      if (byte === QUOTE) at = this.#endOfText(bytes, at);
      else if ((byte | BRACE_BIT) === OPEN_BRACE) from = this.#open(bytes, from, at);
      else if ((byte | BRACE_BIT) === CLOSE_BRACE) from = this.#close(bytes, from, at);
    }
    this.#gatheredAt(this.#depth).add(bytes.subarray(from));
    this.#passRows();
    this.#refuseLong();
    this.#base += bytes.length;
  }

  /** Call this at the end of the document. */
  end(): void {
    if (this.#depth > 0) {
      throw malformed(this.place, 'The document is not JSON: it ends before it is complete.');
    }
    const document = checkDocument(this.#parse(this.#document, '', ''));
    if (this.#isStored === undefined)
      throw malformed('entities', `The document has no 'entities'.`);
    if (!this.#isStored && document['values'] !== undefined) {
      throw malformed('values', `'values' must come before 'entities'.`);
    }
  }

  /** The index after the open text, or the length if it does not end in these bytes. */
  #endOfText(bytes: Buffer, from: number): number {
    let at = this.#isAfterBackslash ? from + 1 : from;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) at += 1;
    }
    this.#isInText = at >= bytes.length;
    this.#isAfterBackslash = at > bytes.length;
    return at + 1;
  }

  /** Handles the opening bracket before `at`; returns the index of the first byte not collected. */
  #open(bytes: Buffer, from: number, at: number): number {
    const isObject = bytes[at - 1] === OPEN_BRACE;
    const depth = this.#depth;
    if (depth === DEPTH_MAX) {
      throw malformed(this.place, `The document nests deeper than ${DEPTH_MAX} levels.`);
    }
    if (depth === 0 && !isObject) checkDocument([]);
    if (depth === ENTITIES && !isObject) throw wrongEntity(this.#entityIndex + 1, []);
    this.#depth = depth + 1;
    if (depth === DOCUMENT || depth === ENTITY) {
      this.#gatheredAt(depth).add(bytes.subarray(from, at));
      if (depth === DOCUMENT) this.#openEntities(isObject ? '}}' : ']}');
      else this.#openRows(isObject ? '}}' : ']}', at);
      return at;
    }
    if (depth !== ENTITIES) return from;
    this.#document.add(bytes.subarray(from, at - 1));
    this.#document.add(EMPTY_OBJECT);
    this.#entityIndex += 1;
    this.#hasRows = false;
    return at - 1;
  }

  #openEntities(closing: string): void {
    const { values } = checkDocument(this.#parse(this.#document, closing, ''));
    if (this.#isStored !== undefined) throw malformed('entities', `'entities' is given twice.`);
    this.#isStored = values === 'stored';
  }

  #openRows(closing: string, at: number): void {
    const place = `entities[${this.#entityIndex}]`;
    const name = checkEntity(this.#parse(this.#entity, closing, place), place);
    if (this.#hasRows) throw malformed(`${place}.rows`, `'rows' is given twice.`);
    this.#hasRows = true;
    this.#rowCount = 0;
    this.#rowsOffset = this.#base + at;
    this.#name = name;
    if (name !== undefined) this.#sink.open(name, place, this.#isStored === true);
  }

  /** The same for a closing bracket. Whether it matches is checked when its text is parsed. */
  #close(bytes: Buffer, from: number, at: number): number {
    const depth = this.#depth;
    if (depth === 0) {
      throw malformed(
        '',
        `The document is not valid JSON: see the bracket at byte ${this.#base + at - 1}.`,
      );
    }
    this.#depth = depth - 1;
    if (depth === ROWS + 1) this.#ends.push(this.#rows.length + at - from);
    if (depth === ROWS) {
      this.#rows.add(bytes.subarray(from, at - 1));
      this.#passRows(true);
      return at - 1;
    }
    if (depth !== ENTITY) return from;
    this.#entity.add(bytes.subarray(from, at));
    this.#endEntity();
    return at;
  }

  #endEntity(): void {
    const place = `entities[${this.#entityIndex}]`;
    const name = checkEntity(this.#parse(this.#entity, '', place), place);
    this.#entity.take();
    if (name === undefined) throw malformed(`${place}.entity`, `The entity has no 'entity'.`);
    if (!this.#hasRows) throw malformed(`${place}.rows`, `The entity has no 'rows'.`);
    if (this.#name === name) return;
    if (this.#name !== undefined) throw malformed(`${place}.entity`, `'entity' is given twice.`);
    this.#sink.open(name, place, this.#isStored === true);
    this.#name = name;
    this.#passRows(true);
  }

  /** Passes on the complete rows; at the end of their list, all bytes. */
  #passRows(isEnd = false): void {
    if (this.#name === undefined || (!isEnd && this.#ends.length === 0)) return;
    const ends = this.#ends;
    const all = this.#rows.take();
    const bytes = isEnd ? all : all.subarray(0, ends.at(-1));
    const first = this.#rowCount;
    const offset = this.#rowsOffset;
    this.#ends = [];
    this.#rowCount += ends.length;
    this.#rowsOffset += bytes.length;
    if (bytes.length < all.length) this.#rows.add(all.subarray(bytes.length));
    this.#sink.rows({ bytes, ends, first, offset });
  }

  #gatheredAt(depth: number): GatheredBytes {
    if (depth >= ROWS) return this.#rows;
    return depth === ENTITY ? this.#entity : this.#document;
  }

  #refuseLong(): void {
    const { place } = this;
    if (Math.max(this.#document.length, this.#entity.length) > AROUND_BYTES_MAX) {
      throw malformed(place, 'The members around the rows may have at most 1 MiB.');
    }
    if (this.#name === undefined && this.#rows.length > UNNAMED_BYTES_MAX) {
      const rows = `entities[${this.#entityIndex}].rows`;
      throw malformed(rows, `With this many rows, 'entity' must come before 'rows'.`);
    }
    if (this.#rows.length > ROW_BYTES_MAX) {
      throw malformed(place, 'A row with its nested rows may have at most 64 MiB.');
    }
  }

  #parse(gathered: GatheredBytes, closing: string, place: string): DataValue {
    const bytes = gathered.all();
    // RFC 8259 allows a parser to ignore the byte order mark.
    const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const text = isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
    const value = parseBytes(text, '', closing);
    if (value !== undefined) return value;
    const isOther = gathered === this.#document && text.find((byte) => byte > BLANK) !== OPEN_BRACE;
    if (isOther) throw malformed(place, 'The document is not JSON at its beginning.', EXPECTED);
    throw malformed(place, 'The document is not JSON here.');
  }
}

/** Collects bytes in pieces, and joins them on demand. */
class GatheredBytes {
  #pieces: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Keeps the piece without copying it. */
  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  all(): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.#pieces;
    const joined = others.length === 0 ? first : Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }

  /** All bytes as one piece; the collection is empty afterwards. */
  take(): Buffer {
    const all = this.all();
    this.#pieces = [];
    this.#length = 0;
    return all;
  }
}
