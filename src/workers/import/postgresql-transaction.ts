/** A transaction of an import on a connection of PostgreSQL's pool: statements, and rows by COPY. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { encodeRow, type Fields, RowBytes } from '../../engine/index.js';
import type { Cancellation } from '../cancellation.js';
import { cancelUntilAnswered, RunningStatements } from '../database/cancel-until-answered.js';
import { sendCancel } from '../database/postgresql/cancel.js';
import { postgresqlError } from '../database/postgresql/errors.js';
import { SourceError } from '../database/source-error.js';
import type { Statement, Written } from '../database/statement.js';

/** How long the server may take to hear that the import is cancelled. */
const CANCEL_MS = 2000;

/** Texts as the server sends them. */
const texts = { getTypeParser: () => (text: unknown) => text };

export class PostgresqlTransaction {
  readonly #client: pg.Client;
  readonly #cancellation: Cancellation;
  readonly #running = new RunningStatements();
  #cancelling: Promise<void> = Promise.resolve();
  readonly #forget: () => void;

  constructor(client: pg.Client, cancellation: Cancellation) {
    this.#client = client;
    this.#cancellation = cancellation;
    this.#forget = cancellation.onCancel(() => {
      const send = () => sendCancel(client, CANCEL_MS);
      this.#cancelling = cancelUntilAnswered(send, this.#running);
    });
  }

  /** Runs statements one after the other. Rejects with a `SourceError`. */
  async run(statements: readonly Statement[]): Promise<Written[]> {
    const results: Written[] = [];
    for (const { text, parameters } of statements) {
      const query = { text, values: [...parameters], rowMode: 'array' as const, types: texts };
      const { rows, rowCount } = await this.#track(() =>
        this.#client.query<(string | null)[]>(query),
      );
      results.push({ rows: rowBytes(rows), count: rowCount ?? 0 });
    }
    return results;
  }

  /** Sends lines of COPY; a fault tells the number of its line and the name of its column, as far as they are known. */
  copy(text: string, lines: Buffer): Promise<void> {
    return this.#track(() => pipeline(Readable.from([lines]), this.#client.query(copyFrom(text))));
  }

  async commit(): Promise<void> {
    this.#forget();
    await this.run([{ text: 'COMMIT', parameters: [] }]);
  }

  /** Rejects when the connection is not fit for others. */
  async rollBack(): Promise<void> {
    this.#forget();
    await this.#cancelling;
    await this.#client.query('ROLLBACK');
  }

  async #track<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#cancellation.isCancelled) throw new SourceError('cancelled');
    try {
      return await this.#running.track(work());
    } catch (error) {
      if (this.#cancellation.isCancelled) throw new SourceError('cancelled', { cause: error });
      throw withLine(postgresqlError(error));
    }
  }
}

function rowBytes(rows: readonly Fields[]): RowBytes {
  const all = new RowBytes();
  for (const row of rows) {
    const { bytes, start } = encodeRow(row);
    all.push(bytes, start);
  }
  return all;
}

/** A fault of COPY tells where it stopped: `COPY rowgate_import_0, line 1, column c3: "…"`. */
function withLine(error: SourceError): SourceError {
  const { code, sqlstate, cause } = error;
  const where = cause instanceof pg.DatabaseError ? (cause.where ?? '') : '';
  const [, table, line, column] = /^COPY (\S+), line (\d+)(?:, column (\S+?):)?/.exec(where) ?? [];
  if (table === undefined) return error;
  const violation = { table, columns: column === undefined ? [] : [column], values: [] };
  const at = { statement: 0, row: Number(line) - 1 };
  return new SourceError(code, { sqlstate, violation, at, cause });
}
