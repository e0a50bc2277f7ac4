/**
 * A model of a response of uWebSockets.js 20.41 on a simulated socket. It sends as the library does: a
 * write that does not fit into the cork buffer sends that buffer first, and is dropped if the socket
 * does not accept all of it.
 */
import type { UwsResponse } from '../../src/gateway/http/uws-response.js';

const CORK_BYTES = 16 * 1024;

export class ModelResponse implements UwsResponse {
  /** The bytes that the client has received. */
  received: Buffer = Buffer.alloc(0);
  /** The number of bytes that the library kept when the answer ended; undefined before. */
  keptAtEnd: number | undefined;
  /** The most bytes that it kept at any time. */
  keptMost = 0;
  /** The number of bytes that the system still accepts. */
  room: number;
  #corked: Buffer | undefined;
  #kept: Buffer = Buffer.alloc(0);
  #offset = 0;
  #onWritable: () => boolean = () => true;
  #isWaiting = false;
  #hasLength = false;

  constructor(room: number) {
    this.room = room;
  }

  /** The reader takes bytes, which makes room for as many in the system. */
  take(bytes: number): void {
    this.room += bytes;
  }

  /** The system reports the socket as writable. The library is notified if it has something to send. */
  report(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    if (this.keptAtEnd === undefined) this.#onWritable();
    else this.#sendKept();
  }

  cork(work: () => void): void {
    this.#corked = Buffer.alloc(0);
    work();
    const corked = this.#corked;
    this.#corked = undefined;
    if (corked !== undefined) this.#send(corked);
    if (this.keptAtEnd !== undefined) this.keptAtEnd = Math.max(this.keptAtEnd, this.#kept.length);
  }

  write(bytes: Uint8Array): boolean {
    this.#put(Buffer.from(`${bytes.length.toString(16)}\r\n`));
    const [, isClear] = this.#put(bytes);
    this.#put(Buffer.from('\r\n'));
    return isClear;
  }

  tryEnd(bytes: Uint8Array, total: number): [boolean, boolean] {
    if (!this.#hasLength) this.#put(Buffer.from(`${total}\r\n`));
    this.#hasLength = true;
    const [taken, isClear] = this.#put(bytes, true);
    this.#offset += taken;
    const isComplete = this.#offset === total;
    if (isComplete) this.keptAtEnd = this.#kept.length;
    return [isClear, isComplete];
  }

  end(): void {
    this.keptAtEnd = this.#kept.length;
    this.#put(Buffer.from('0\r\n\r\n'));
  }

  getWriteOffset(): number {
    return this.#offset;
  }

  onWritable(handler: () => boolean): void {
    this.#onWritable = handler;
  }

  pause(): void {}

  resume(): void {}

  /**
   * Puts bytes into the cork buffer, or sends them. Returns how many were accepted, and whether nothing
   * is waiting.
   */
  #put(bytes: Uint8Array, isOptional = false): [number, boolean] {
    if (!this.#sendKept()) {
      if (isOptional) return [0, false];
      this.#kept = Buffer.concat([this.#kept, bytes]);
      return [bytes.length, false];
    }
    const corked = this.#corked;
    if (corked !== undefined && corked.length + bytes.length <= CORK_BYTES) {
      this.#corked = Buffer.concat([corked, bytes]);
      return [bytes.length, true];
    }
    this.#corked = undefined;
    if (corked !== undefined && !this.#send(corked)) return [0, false];
    const taken = this.#give(bytes);
    if (taken === bytes.length) return [taken, true];
    if (isOptional) return [taken, false];
    this.#kept = Buffer.from(bytes.subarray(taken));
    return [bytes.length, false];
  }

  #send(bytes: Buffer): boolean {
    this.#kept = Buffer.concat([this.#kept, bytes]);
    return this.#sendKept();
  }

  #sendKept(): boolean {
    this.#kept = this.#kept.subarray(this.#give(this.#kept));
    this.keptMost = Math.max(this.keptMost, this.#kept.length);
    return this.#kept.length === 0;
  }

  #give(bytes: Uint8Array): number {
    const taken = Math.min(this.room, bytes.length);
    this.received = Buffer.concat([this.received, bytes.subarray(0, taken)]);
    this.room -= taken;
    if (taken < bytes.length) this.#isWaiting = true;
    return taken;
  }
}
