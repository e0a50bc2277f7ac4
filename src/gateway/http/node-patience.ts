/** Waits for a slow reader on node:http, and tells when it has taken nothing for too long. */
import type { Socket } from 'node:net';
import { unsentBytes } from './unsent-bytes.js';

/** How often it is looked at within the time after which a reader is cut. */
const LOOKS = 4;

export class NodePatience {
  readonly #socket: Socket;
  readonly #limitMs: number;
  readonly #onStall: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isWaiting = false;
  /** When it was last seen to take something. */
  #takenAt = 0;
  #unsent: number | undefined;

  constructor(socket: Socket, limitMs: number, onStall: () => void) {
    this.#socket = socket;
    this.#limitMs = limitMs;
    this.#onStall = onStall;
  }

  /** Begins the wait, or begins it anew. */
  wait(): void {
    this.#isWaiting = true;
    this.#takenAt = performance.now();
    this.#timer ??= setInterval(() => void this.#look(), Math.ceil(this.#limitMs / LOOKS)).unref();
  }

  /** The system has taken all that there was. */
  waitNoMore(): void {
    this.#isWaiting = false;
    this.#unsent = undefined;
  }

  end(): void {
    this.waitNoMore();
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (!this.#isWaiting) return;
    const unsent = await unsentBytes(this.#socket);
    if (!this.#isWaiting) return;
    if (unsent !== this.#unsent && this.#unsent !== undefined) this.#takenAt = performance.now();
    this.#unsent = unsent;
    if (performance.now() - this.#takenAt >= this.#limitMs) this.#onStall();
  }
}
