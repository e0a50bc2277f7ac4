/**
 * The bytes of one answer: a small answer is sent as a whole, a large one in parts, as far as the
 * gateway has granted credit.
 */
import { OutputBytes } from '../../engine/index.js';
import type { WorkerReply } from '../protocol.js';
import { SourceError } from '../database/source-error.js';
import type { RowsAnswer } from './read.js';
import { giveOutput, PART_BYTES, takeOutput, WHOLE_BYTES_MAX } from './spare-outputs.js';

/** Where an answer is sent. */
export interface Outlet {
  /** Sends a reply. `buffer`, which contains its bytes, is transferred. */
  send(reply: WorkerReply, buffer?: ArrayBuffer): void;
  /** Sends a whole answer; its bytes are copied at once. */
  sendWhole(id: number, bytes: Uint8Array, rows: number): void;
}

export class Answer implements RowsAnswer {
  /** Where the answer is written; call {@link written} after each piece. */
  readonly out = takeOutput();
  rows = 0;
  readonly #id: number;
  readonly #outlet: Outlet;
  readonly #windowBytes: number;
  /** The cursor of the next page, if there may be one. */
  next: string | undefined;
  #heldBytesMax: number | undefined;
  /** Called before the first part is sent. */
  beforeFirstPart: () => void = () => undefined;
  /** Called before the first part is sent. If it throws, nothing is sent. */
  onFirstPart: () => void = () => undefined;
  #hasLeft = false;
  #rowsSent = 0;
  /** The bytes that were sent, but not yet passed on by the gateway. */
  #underway = 0;
  #isLetGo = false;
  readonly #drained: (() => void)[] = [];

  constructor(id: number, outlet: Outlet, windowBytes: number) {
    this.#id = id;
    this.#outlet = outlet;
    this.#windowBytes = windowBytes;
  }

  /** Whether a part was sent. After that, the answer cannot be replaced. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Whether the writer should wait for {@link drained}. */
  get isFull(): boolean {
    return !this.#isLetGo && this.#underway > this.#windowBytes;
  }

  /** Call this after writing to {@link out}: sends a part if there are enough bytes. */
  written(): void {
    if (this.#heldBytesMax !== undefined) {
      if (this.out.length > this.#heldBytesMax) throw new SourceError('answer-too-large');
    } else if (this.out.length >= (this.#hasLeft ? PART_BYTES : WHOLE_BYTES_MAX)) {
      this.#sendPart(false);
    }
  }

  write(text: string): void {
    this.out.reserve(Buffer.byteLength(text));
    const { buffer } = this.out.bytes;
    this.out.length += Buffer.from(buffer).write(text, this.out.length, 'utf8');
    this.written();
  }

  end(): void {
    if (this.#hasLeft) return this.#sendPart(true);
    const bytes = this.out.bytes.subarray(0, this.out.length);
    if (this.next === undefined) this.#outlet.sendWhole(this.#id, bytes, this.rows);
    else sendPage(this.#outlet, { id: this.#id, rows: this.rows, next: this.next }, bytes);
    giveOutput(this.out);
  }

  /** Discards the written bytes; only allowed before anything was sent. */
  restart(): void {
    this.rows = 0;
    this.next = undefined;
    this.out.length = 0;
    this.#isLetGo = false;
  }

  /** The gateway has passed on this many bytes. */
  credit(bytes: number): void {
    this.#underway -= bytes;
    if (!this.isFull) this.#wake();
  }

  /** Resolves when there is room again. */
  drained(): Promise<void> {
    if (!this.isFull) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drained.push(resolve);
    });
  }

  /** Resumes the writers that wait for room; they will find that they were cancelled. */
  letGo(): void {
    this.#isLetGo = true;
    this.#wake();
  }

  /** Sends nothing until the end or {@link release}. Until then, `written` throws `answer-too-large`. */
  hold(bytesMax: number): void {
    this.#heldBytesMax = bytesMax;
  }

  release(): void {
    this.#heldBytesMax = undefined;
  }

  #wake(): void {
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  #sendPart(last: boolean): void {
    const bytes = this.out.handOver(last ? new OutputBytes(0) : takeOutput());
    if (!this.#hasLeft) {
      this.onFirstPart();
      this.beforeFirstPart();
    }
    this.#hasLeft = true;
    this.#underway += bytes.byteLength;
    const rows = this.rows - this.#rowsSent;
    this.#rowsSent = this.rows;
    this.#outlet.send({ type: 'part', id: this.#id, bytes, rows, last }, bytes.buffer);
  }
}

/** What is sent with the bytes of a page. */
interface Page {
  readonly id: number;
  readonly rows: number;
  /** The cursor of the next page. */
  readonly next: string;
}

/** Sends a page; its bytes are copied at once. */
export function sendPage(outlet: Pick<Outlet, 'send'>, page: Page, bytes: Uint8Array): void {
  const copy = new Uint8Array(bytes);
  outlet.send({ type: 'page', ...page, bytes: copy }, copy.buffer);
}
