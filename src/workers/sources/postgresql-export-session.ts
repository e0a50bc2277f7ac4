/**
 * A session that reads a snapshot of a PostgreSQL database: all that it reads is as of one instant.
 * One read may be open at a time; others run beside it.
 */
import type pg from 'pg';
import { type Fields, invariant } from '../../engine/index.js';
import { createCancellation } from '../execution/cancellation.js';
import { cancelUntilAnswered, RunningStatements } from './cancel-until-answered.js';
import { sendCancel } from './postgresql-cancel.js';
import { postgresqlError } from './postgresql-errors.js';
import { SourceError } from './source-error.js';
import type { RowSink, RowWindow, Session, Statement } from './source.js';

/** How long the server may take to hear that the export is cancelled. */
const CANCEL_MS = 2000;
/** The cursor of the open read; a name that a plan's tables cannot have. */
const CURSOR = 'rowgate_export';

/** Texts as the server sends them. */
const texts = { getTypeParser: () => (text: unknown) => text };

export class ExportSession implements Session {
  readonly #client: pg.PoolClient;
  readonly #cancellation = createCancellation();
  readonly #running = new RunningStatements();
  #cancelling: Promise<void> = Promise.resolve();
  #isOpen = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  /** Takes the snapshot. All rows of a cursor will be read: the planner is told. */
  async begin(): Promise<void> {
    await this.#run({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', parameters: [] });
    await this.#run({ text: 'SET LOCAL cursor_tuple_fraction = 1', parameters: [] });
  }

  /** Gives the snapshot up; rejects when the connection is not fit for others. */
  async end(): Promise<void> {
    await this.#cancelling;
    await this.#client.query('ROLLBACK');
  }

  async stream(statement: Statement, rowsMax: number, sink: RowSink): Promise<void> {
    const rows = await this.#run(statement);
    for (const row of rowsMax === 0 ? rows : rows.slice(0, rowsMax)) sink(row);
  }

  pause(): void {
    // Nothing comes that was not asked for.
  }

  resume(): void {
    // See `pause`.
  }

  async open(statement: Statement, windowRows: number): Promise<RowWindow> {
    invariant(!this.#isOpen, 'one open read at a time');
    const { text, parameters } = statement;
    await this.#run({ text: `DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${text}`, parameters });
    this.#isOpen = true;
    return this.next(windowRows);
  }

  async next(windowRows: number): Promise<RowWindow> {
    const text = `FETCH FORWARD ${windowRows} FROM ${CURSOR}`;
    const rows = await this.#run({ text, parameters: [] });
    const ended = rows.length < windowRows;
    if (ended) {
      await this.#run({ text: `CLOSE ${CURSOR}`, parameters: [] });
      this.#isOpen = false;
    }
    return { rows, ended };
  }

  async fetch(statements: readonly Statement[], rowsMax: number): Promise<Fields[][]> {
    const results: Fields[][] = [];
    for (const statement of statements) {
      const rows = await this.#run(statement);
      results.push(rowsMax === 0 ? rows : rows.slice(0, rowsMax));
    }
    return results;
  }

  cancel(): void {
    if (this.#cancellation.isCancelled) return;
    this.#cancellation.cancel();
    const send = () => sendCancel(this.#client, CANCEL_MS);
    this.#cancelling = cancelUntilAnswered(send, this.#running);
  }

  release(): void {
    // Whoever lent the connection takes it back; see `end`.
  }

  async #run({ text, parameters }: Statement): Promise<Fields[]> {
    if (this.#cancellation.isCancelled) throw new SourceError('cancelled');
    try {
      const query = { text, values: [...parameters], rowMode: 'array' as const, types: texts };
      const answer = this.#client.query<(string | null)[]>(query);
      return (await this.#running.track(answer)).rows;
    } catch (error) {
      if (this.#cancellation.isCancelled) throw new SourceError('cancelled', { cause: error });
      throw postgresqlError(error);
    }
  }
}
