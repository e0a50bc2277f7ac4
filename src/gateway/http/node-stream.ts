/** A streamed answer on node:http. */
import type { ServerResponse } from 'node:http';
import type { AnswerOwner, AnswerStream } from './exchange.js';
import { nodePatience } from './node-patience.js';
import type { Patience } from './patience.js';

export class NodeAnswerStream implements AnswerStream {
  readonly #response: ServerResponse;
  readonly #owner: AnswerOwner;
  readonly #patience: Patience;
  #unsentPieces = 0;

  constructor(response: ServerResponse, owner: AnswerOwner) {
    this.#response = response;
    this.#owner = owner;
    this.#patience = nodePatience(response, owner);
    response.once('close', () => this.#patience.end());
  }

  get waitingBytes(): number {
    // A response that was pipelined behind another one still counts what it will never send.
    return this.#owner.isAnswering ? this.#response.writableLength : 0;
  }

  write(bytes: Uint8Array, taken?: () => void): void {
    if (!this.#owner.isAnswering || bytes.byteLength === 0) return;
    if (this.#unsentPieces++ === 0) this.#patience.wait();
    this.#response.write(bytes, (error) => this.#onPieceSent(error ? undefined : taken));
  }

  end(): void {
    if (!this.#owner.isAnswering) return;
    if (this.#unsentPieces++ === 0) this.#patience.wait();
    this.#response.end(() => this.#onPieceSent(undefined));
  }

  abort(): void {
    this.#patience.end();
    this.#owner.abort();
  }

  /** Each piece that the socket has taken shows that the client reads; so does the end. */
  #onPieceSent(taken: (() => void) | undefined): void {
    taken?.();
    if (--this.#unsentPieces === 0) this.#patience.waitNoMore();
    else if (this.#owner.isAnswering) this.#patience.wait();
  }
}
