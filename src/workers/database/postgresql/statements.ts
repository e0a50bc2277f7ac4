/**
 * The prepared statements of one connection: which ones the server has, and which ones to close.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { MessageWriter } from './messages.js';

/** Each parse without a name replaces this statement. */
const UNNAMED = '';
/** The most prepared statements of a connection. */
const STATEMENTS_MAX = 500;

export class PreparedStatements {
  readonly #isNamed: boolean;
  /** The names, by text, of the statements that the server has or will have. */
  readonly #known: LRUCache<string, string>;
  /** Statements that must still be closed on the server. */
  readonly #closing: string[] = [];

  constructor(isNamed: boolean) {
    this.#isNamed = isNamed;
    this.#known = new LRUCache({
      max: STATEMENTS_MAX,
      dispose: (name, _text, reason) => {
        if (reason !== 'set') this.#closing.push(name);
      },
    });
  }

  /** Whether the server has the statement, or has room for it. */
  canKeep(text: string): boolean {
    return !this.#isNamed || this.#known.size < STATEMENTS_MAX || this.#known.has(text);
  }

  /** Closes unused statements; at the start of a run, where nothing has failed. */
  writeClosing(writer: MessageWriter): void {
    if (this.#closing.length === 0) return;
    for (const name of this.#closing.splice(0)) writer.closeStatement(name);
  }

  /** Adds the text to `parsed` unless the server has it. Without `parsed`, it is not kept. */
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

  /** Closes an unreliable statement; its next use parses it again. */
  forget(text: string): void {
    this.#known.delete(text);
  }

  /** The tables have changed, so no statement is reliable. */
  forgetAll(): void {
    this.#known.clear();
  }
}

/** The same text has the same name on every connection and in every worker. */
function statementName(text: string): string {
  return `rg_${hash('sha256', text, 'base64url').slice(0, 22)}`;
}
