/**
 * The prepared statements of one connection: which of them the server has, which were used least, and
 * which are to be closed.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { MessageWriter } from './messages.js';

/** The statement that every parse without a name replaces. */
const UNNAMED = '';
/** Statements that stay prepared on a connection. */
const STATEMENTS_MAX = 500;

export class PreparedStatements {
  readonly #isNamed: boolean;
  /** Names by texts: of statements that the server has, or will have when it has read what was written. */
  readonly #known: LRUCache<string, string>;
  /** Names of statements that are still to be closed on the server. */
  #closing: string[] = [];

  constructor(isNamed: boolean) {
    this.#isNamed = isNamed;
    this.#known = new LRUCache({
      max: STATEMENTS_MAX,
      dispose: (name, _text, reason) => {
        if (reason !== 'set') this.#closing.push(name);
      },
    });
  }

  /** Writes what closes statements that are no longer used: at the start of a run, where nothing has failed. */
  writeClosing(writer: MessageWriter): void {
    if (this.#closing.length === 0) return;
    for (const name of this.#closing) writer.closeStatement(name);
    this.#closing = [];
  }

  /**
   * Writes what prepares the statement, and adds its text to `parsed`, unless the server has it; returns its
   * name. Without `parsed` it is not kept.
   */
  prepare(text: string, writer: MessageWriter, parsed: string[] | undefined): string {
    if (!this.#isNamed || !parsed) {
      writer.parse(UNNAMED, text);
      return UNNAMED;
    }
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const name = statementName(text);
    this.#known.set(text, name);
    writer.parse(name, text);
    parsed.push(text);
    return name;
  }

  /** The statement is not to be relied on: it is closed, and parsed anew when it is next used. */
  forget(text: string): void {
    this.#known.delete(text);
  }

  /** Tables have changed: the other statements on them are no better. */
  forgetAll(): void {
    this.#known.clear();
  }
}

const names = new LRUCache<string, string>({
  max: 10_000,
  maxSize: 32 << 20,
  sizeCalculation: (name, text) => name.length + text.length,
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
