/**
 * The bytes of one answer on their way out: small ones leave whole, large ones in parts, and no
 * more parts than the gateway has given credit for.
 */
import type { WorkerReply } from '../protocol.js';

/** UTF-16 units that are gathered before a part leaves. */
const PART_LENGTH = 64 * 1024;

/** Where an answer leaves through. */
export interface Outlet {
  /** Sends a reply; `buffer`, which holds its bytes, is given away. */
  send(reply: WorkerReply, buffer?: ArrayBuffer): void;
  sendWhole(id: number, text: string): void;
}

export class Answer {
  readonly #id: number;
  readonly #outlet: Outlet;
  readonly #windowBytes: number;
  #text = '';
  #hasLeft = false;
  /** Bytes that have left and that the gateway has not yet passed on. */
  #underway = 0;
  #isLetGo = false;
  readonly #drained: (() => void)[] = [];

  constructor(id: number, outlet: Outlet, windowBytes: number) {
    this.#id = id;
    this.#outlet = outlet;
    this.#windowBytes = windowBytes;
  }

  /** Whether a part has left: from then on the answer cannot become another. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Whether the writer should wait for {@link drained}. */
  get isFull(): boolean {
    return !this.#isLetGo && this.#underway > this.#windowBytes;
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= PART_LENGTH) this.#sendPart(false);
  }

  end(): void {
    if (this.#hasLeft) this.#sendPart(true);
    else this.#outlet.sendWhole(this.#id, this.#text);
  }

  /** Throws away what was written; only while nothing has left. */
  restart(): void {
    this.#text = '';
  }

  /** The gateway has passed on so many bytes. */
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

  /** Lets those go on that wait for room: they will find that they were cancelled. */
  letGo(): void {
    this.#isLetGo = true;
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  #sendPart(last: boolean): void {
    const bytes = encode(this.#text);
    this.#text = '';
    this.#hasLeft = true;
    this.#underway += bytes.byteLength;
    this.#outlet.send({ type: 'part', id: this.#id, bytes, last }, bytes.buffer);
  }
}

/** UTF-8 in a buffer of its own, which can be transferred. */
function encode(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.byteLength(text));
  Buffer.from(bytes.buffer).write(text, 'utf8');
  return bytes;
}
