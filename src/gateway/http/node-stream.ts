/** A chunked answer on node:http. */
import type { ServerResponse } from 'node:http';
import type { AnswerStream } from './exchange.js';
import { StallGuard } from './stall-guard.js';

/** The side of the exchange that owns the response. */
export interface NodeStreamOwner {
  isOpen(): boolean;
  cut(): void;
  readonly writeStallMs: number;
}

export class NodeAnswerStream implements AnswerStream {
  readonly #response: ServerResponse;
  readonly #owner: NodeStreamOwner;
  readonly #guard: StallGuard;
  #unsentPieces = 0;

  constructor(response: ServerResponse, owner: NodeStreamOwner) {
    this.#response = response;
    this.#owner = owner;
    this.#guard = new StallGuard(owner.writeStallMs, () => owner.cut());
    response.once('close', () => this.#guard.stop());
  }

  write(bytes: Uint8Array, taken?: () => void): void {
    if (!this.#owner.isOpen() || bytes.byteLength === 0) return;
    if (this.#unsentPieces++ === 0) this.#guard.start();
    this.#response.write(bytes, (error) => this.#onPieceSent(error ? undefined : taken));
  }

  end(): void {
    if (this.#owner.isOpen()) this.#response.end();
  }

  abort(): void {
    this.#guard.stop();
    this.#owner.cut();
  }

  /** Every piece that the socket took is a sign of life. */
  #onPieceSent(taken: (() => void) | undefined): void {
    taken?.();
    if (--this.#unsentPieces === 0) this.#guard.stop();
    else if (this.#owner.isOpen()) this.#guard.start();
  }
}
