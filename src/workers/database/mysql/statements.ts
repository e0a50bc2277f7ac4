/**
 * The prepared statements of one connection: which ones the server has, and which ones to close.
 */
import { LRUCache } from 'lru-cache';
import type { WireType } from './columns.js';
import type { PacketWriter } from './packets.js';

/** The most prepared statements of a connection. */
export const STATEMENTS_MAX = 256;
const UNKNOWN = -1;

/** A statement that the server has, or is preparing. */
export class Prepared {
  readonly text: string;
  /** The server's number of the statement; -1 if it has none yet. */
  id = UNKNOWN;
  /** The columns of its result. The server reports when they change. */
  columns: readonly WireType[] = [];
  /** Whether the server was asked to prepare it. */
  isAsked = false;
  /** How many executions and cursors use it; each must release it. */
  uses = 0;
  /** Whether its last execution has opened a cursor. */
  hasCursor = false;
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
  /** The numbers of statements that must still be closed on the server. */
  readonly #closing: number[] = [];

  /** `isKept`: statements are kept after their use. */
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

  /** Whether the server has the statement, or has room for it. */
  canKeep(text: string): boolean {
    return !this.#isKept || this.#known.size < STATEMENTS_MAX || this.#known.has(text);
  }

  /** The statement for a text, which is kept until it is released. */
  take(text: string): Prepared {
    let statement = this.#known.get(text);
    if (!statement) {
      statement = new Prepared(text);
      this.#known.set(text, statement);
    }
    statement.uses += 1;
    return statement;
  }

  /** The server has answered whether it can prepare the statement. */
  asked(statement: Prepared): void {
    if (statement.isForgotten) this.#closeUnused(statement);
  }

  release(statement: Prepared): void {
    statement.uses -= 1;
    if (statement.isForgotten) this.#closeUnused(statement);
    else if (!this.#isKept && statement.uses === 0) this.forget(statement);
  }

  /** Closes an unreliable statement; its next use prepares it again. */
  forget(statement: Prepared): void {
    if (this.#known.peek(statement.text) === statement) this.#known.delete(statement.text);
  }

  /** Closes unused statements. The server does not answer that. */
  writeClosing(writer: PacketWriter): void {
    if (this.#closing.length === 0) return;
    for (const id of this.#closing.splice(0)) writer.close(id);
  }

  #closeUnused(statement: Prepared): void {
    if (statement.uses === 0 && statement.isReady) this.#closing.push(statement.id);
  }
}
