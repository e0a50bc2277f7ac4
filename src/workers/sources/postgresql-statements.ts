/**
 * The prepared statements of one connection: which names the server knows, which of them were
 * used least, and which must be closed before they can be parsed again.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { MessageWriter } from './postgresql-messages.js';

/** The statement that every parse without a name replaces: closing it is no loss. */
const UNNAMED = '';
/** Statements that stay prepared on a connection. */
const STATEMENTS_MAX = 256;

export class PreparedStatements {
  readonly #named: boolean;
  /** Names that the server knows, or will when it has read what was written. */
  readonly #known: LRUCache<string, true>;
  /** Parsed but not yet confirmed, in the order of writing. */
  readonly #unconfirmed: string[] = [];
  readonly #closing: string[] = [];
  /** Closes that were written but not yet confirmed, in the order of writing. */
  readonly #unconfirmedCloses: string[] = [];

  constructor(named: boolean) {
    this.#named = named;
    this.#known = new LRUCache({
      max: STATEMENTS_MAX,
      dispose: (_, name, reason) => {
        if (reason === 'evict') this.#closing.push(name);
      },
    });
  }

  /** Writes what makes the statement known, if it is not; returns its name. */
  prepare(text: string, writer: MessageWriter): string {
    if (!this.#named) {
      writer.parse(UNNAMED, text);
      this.#unconfirmed.push(UNNAMED);
      return UNNAMED;
    }
    const name = statementName(text);
    if (this.#known.get(name)) return name;
    this.#known.set(name, true);
    for (const closing of this.#closing.splice(0)) {
      writer.closeStatement(closing);
      this.#unconfirmedCloses.push(closing);
    }
    writer.parse(name, text);
    this.#unconfirmed.push(name);
    return name;
  }

  /** Whether the server has the statement, for sure: `prepare` writes nothing. */
  isReady(text: string): boolean {
    return this.#named && this.#unconfirmed.length === 0 && this.#known.has(statementName(text));
  }

  /** Writes what closes a portal: its confirmation comes among those of statements. */
  closePortal(name: string, writer: MessageWriter): void {
    writer.closePortal(name);
    this.#unconfirmedCloses.push(UNNAMED);
  }

  /** The server has confirmed the oldest parse. */
  confirm(): void {
    this.#unconfirmed.shift();
  }

  /** The server has confirmed the oldest close. */
  confirmClose(): void {
    this.#unconfirmedCloses.shift();
  }

  /** At ReadyForQuery: what was not confirmed by then is in doubt. */
  dropUnconfirmed(): void {
    // A close that stood behind the fault of a round was skipped: it is written again.
    if (this.#unconfirmedCloses.length > 0) {
      this.#closing.push(...this.#unconfirmedCloses.splice(0));
    }
    if (this.#unconfirmed.length === 0) return;
    for (const name of this.#unconfirmed.splice(0)) {
      // Closing a statement that does not exist is no error.
      if (this.#known.delete(name)) this.#closing.push(name);
    }
  }

  /** Takes every statement for stale: each is closed and parsed anew when it is next used. */
  forgetAll(): void {
    this.#closing.push(...this.#known.keys());
    this.#known.clear();
  }
}

const names = new LRUCache<string, string>({
  max: 10_000,
  maxSize: 32 << 20,
  sizeCalculation: sizeOf,
});

/** The same name for the same text, on every connection and in every worker. */
function statementName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const name = `rg_${hash}`;
  names.set(text, name);
  return name;
}

function sizeOf(name: string, text: string): number {
  return name.length + text.length;
}
