/**
 * The prepared statements of one connection: which of them the server has, which were used least, and
 * which are to be closed.
 */
import { LRUCache } from 'lru-cache';
import type { WireType } from './columns.js';
import type { PacketWriter } from './packets.js';

/** Statements that stay prepared on a connection. */
const STATEMENTS_MAX = 256;
const UNKNOWN = -1;

/** A statement that the server has, or is asked to prepare. */
export class Prepared {
  readonly text: string;
  /** By which the server knows it; -1: not yet. */
  id = UNKNOWN;
  /** The columns of its result; the server reports when they change. */
  columns: readonly WireType[] = [];
  /** Whether the server was asked to prepare it. */
  isAsked = false;
  /** How many are going to execute it, or have a cursor on it. */
  uses = 0;
  isForgotten = false;

  constructor(text: string) {
    this.text = text;
  }

  get isReady(): boolean {
    return this.id !== UNKNOWN;
  }
}

export class PreparedStatements {
  readonly #isKept: boolean;
  readonly #known: LRUCache<string, Prepared>;
  /** Numbers of statements that are still to be closed on the server. */
  #closing: number[] = [];

  /** `isKept`: statements outlive their use. */
  constructor(isKept: boolean) {
    this.#isKept = isKept;
    this.#known = new LRUCache({
      max: STATEMENTS_MAX,
      dispose: (statement) => {
        statement.isForgotten = true;
        this.#closeUnused(statement);
      },
    });
  }

  /** The statement of that text, which stays until it is released. */
  take(text: string): Prepared {
    let statement = this.#known.get(text);
    if (!statement) {
      statement = new Prepared(text);
      this.#known.set(text, statement);
    }
    this.use(statement);
    return statement;
  }

  /** The statement stays until it is released once more. */
  use(statement: Prepared): void {
    statement.uses += 1;
  }

  /** The server has answered whether it can prepare the statement. */
  asked(statement: Prepared): void {
    if (statement.isForgotten) this.#closeUnused(statement);
  }

  /** What executes the statement was written, or will not be. */
  release(statement: Prepared): void {
    statement.uses -= 1;
    if (!this.#isKept && statement.uses === 0) this.forget(statement);
    else if (statement.isForgotten) this.#closeUnused(statement);
  }

  /** The statement is not to be relied on: it is closed, and prepared anew when it is next used. */
  forget(statement: Prepared): void {
    if (this.#known.peek(statement.text) === statement) this.#known.delete(statement.text);
  }

  /** Writes what closes statements that are no longer used; nothing is answered to that. */
  writeClosing(writer: PacketWriter): void {
    if (this.#closing.length === 0) return;
    for (const id of this.#closing) writer.close(id);
    this.#closing = [];
  }

  #closeUnused(statement: Prepared): void {
    if (statement.uses === 0 && statement.isReady) this.#closing.push(statement.id);
  }
}
