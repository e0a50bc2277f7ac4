/**
 * Rows without nested ones straight from the bytes of the document to those of COPY: no objects, and
 * for numbers and strings no texts. It takes only what it understands and what is right; any other
 * row it leaves to the frames, which tell what is wrong and where.
 * `npm run bench -- --only import` measures it.
 */
import type { RowField } from '../../engine/index.js';
import { fieldText } from './copy-line.js';
import { FlatValues } from './flat-values.js';
import type { LineBuffer } from './line-buffer.js';
import type { StagedEntity } from './staged-entity.js';

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const CLOSE = 0x7d;
const TAB = 0x09;
const NEW_LINE = 0x0a;
const NULL = Buffer.from('\\N');
/** No row nests in these: neither their numbers nor those of their parents are asked for. */
const PREFIX = Buffer.from('\\N\t0\t\\N');

/** The key that the row around gives its rows: which of their fields, and its text. */
export interface GivenKey {
  readonly index: number;
  readonly text: string;
}

export class FlatRows {
  readonly #entity: StagedEntity;
  /** Undefined of those that a row cannot give. */
  readonly #names: readonly (Buffer | undefined)[];
  readonly #absent: readonly (Buffer | undefined)[];
  readonly #values: FlatValues;
  /** Which field came at which place of the row before: rows look alike. */
  readonly #order: number[] = [];
  readonly #seen: Int32Array;
  #row = 0;

  constructor(entity: StagedEntity) {
    const { fields } = entity;
    this.#entity = entity;
    this.#names = fields.map(({ property }, index) =>
      entity.isHidden(index) ? undefined : Buffer.from(property.name),
    );
    this.#absent = fields.map(absentBytes);
    this.#values = new FlatValues(fields);
    this.#seen = new Int32Array(fields.length);
  }

  /** Stages the object that opens at `at`, and answers with the index behind it; -1: it did not. */
  take(bytes: Buffer, at: number, key: GivenKey | undefined): number {
    const end = this.#read(bytes, at + 1);
    if (end === -1 || !this.#complete(key)) return -1;
    this.#entity.stageFlat((lines) => this.#write(lines, bytes, end - at), this.#values.present);
    return end;
  }

  #read(bytes: Buffer, from: number): number {
    this.#row = (this.#row + 1) | 0;
    let at = blanks(bytes, from);
    if (bytes[at] === CLOSE) return at + 1;
    for (let place = 0; ; place += 1) {
      const nameEnd = this.#name(bytes, at, place);
      if (nameEnd === -1) return -1;
      at = blanks(bytes, nameEnd);
      if (bytes[at] !== COLON) return -1;
      at = this.#values.read(this.#order[place] ?? 0, bytes, blanks(bytes, at + 1));
      if (at === -1) return -1;
      at = blanks(bytes, at);
      if (bytes[at] === CLOSE) return at + 1;
      if (bytes[at] !== COMMA) return -1;
      at = blanks(bytes, at + 1);
    }
  }

  /** Finds the field that is named at `at`, as the `place`th of its row; -1: there is none. */
  #name(bytes: Buffer, at: number, place: number): number {
    if (bytes[at] !== QUOTE) return -1;
    let index = this.#order[place] ?? 0;
    let end = nameEnd(this.#names[index], bytes, at + 1);
    for (let other = 0; end === -1 && other < this.#names.length; other += 1) {
      index = other;
      end = nameEnd(this.#names[other], bytes, at + 1);
    }
    if (end === -1 || this.#seen[index] === this.#row) return -1;
    this.#seen[index] = this.#row;
    this.#order[place] = index;
    return end;
  }

  /** Fills in what the row does not give; false where the frames must tell what is wrong. */
  #complete(key: GivenKey | undefined): boolean {
    for (let index = 0; index < this.#names.length; index += 1) {
      if (key?.index === index) {
        // What it gives by itself must be the same, which the frames find out.
        if (this.#seen[index] === this.#row) return false;
        const text = fieldText(key.text, this.#entity.fields[index]);
        this.#values.set(index, Buffer.from(text), true);
      } else if (this.#seen[index] !== this.#row) {
        const absent = this.#absent[index];
        if (absent === undefined) return false;
        this.#values.set(index, absent, absent !== NULL);
      }
    }
    return true;
  }

  #write(lines: LineBuffer, bytes: Buffer, rowBytes: number): void {
    const values = this.#values;
    const out = lines.reserve(rowBytes + values.ownBytes + PREFIX.length + this.#names.length + 1);
    let to = put(PREFIX, 0, PREFIX.length, out, lines.length);
    for (let index = 0; index < this.#names.length; index += 1) {
      out[to] = TAB;
      const own = values.own[index];
      to = own
        ? put(own, 0, own.length, out, to + 1)
        : put(bytes, values.starts[index] ?? 0, values.ends[index] ?? 0, out, to + 1);
    }
    out[to] = NEW_LINE;
    lines.filledTo(to + 1);
  }
}

/** What an absent field becomes; undefined where it must not be absent. */
function absentBytes(field: RowField): Buffer | undefined {
  const { absent, isRequired } = field;
  if (absent === undefined || (absent === null && isRequired)) return undefined;
  if (absent === null) return NULL;
  return Buffer.from(fieldText(absent, field));
}

function blanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09)
    at += 1;
  return at;
}

/** The index behind the closing quote when `name` stands at `at`, else -1. */
function nameEnd(name: Buffer | undefined, bytes: Uint8Array, at: number): number {
  if (name === undefined) return -1;
  const { length } = name;
  if (bytes[at + length] !== QUOTE) return -1;
  for (let index = 0; index < length; index += 1) if (name[index] !== bytes[at + index]) return -1;
  return at + length + 1;
}

/** From this length on a native copy is quicker than a loop. */
const LONG = 32;

function put(from: Buffer, start: number, end: number, out: Buffer, to: number): number {
  if (end - start >= LONG) return to + from.copy(out, to, start, end);
  let at = to;
  for (let index = start; index < end; index += 1) out[at++] = from[index] ?? 0;
  return at;
}
