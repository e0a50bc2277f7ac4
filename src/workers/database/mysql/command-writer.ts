/**
 * Writes the commands of runs behind each other, and keeps which of them are not answered yet. Knows
 * the prepared statements of its connection and the cursor that is open.
 */
import { invariant } from '../../../engine/index.js';
import type { Statement, Step } from '../statement.js';
import type { Command } from './answers.js';
import { PrepareCommand, StepCommand, type StepKind, type StepOwner } from './commands.js';
import type { ServerFault } from './errors.js';
import { PacketWriter } from './packets.js';
import type { SentRun } from './sent-run.js';
import { type Prepared, PreparedStatements } from './statements.js';
import { endsTransaction } from './transactions.js';

/** Who hears how the commands have ended. */
export interface CommandOwner extends StepOwner {
  /** The server knows the statement now; or it does not, because of the fault. */
  prepared(statement: Prepared, fault?: ServerFault): void;
}

export class CommandWriter {
  readonly #packets = new PacketWriter();
  readonly #statements: PreparedStatements;
  readonly #owner: CommandOwner;
  /** Not answered yet, the oldest first; so many of them were taken to be sent. */
  readonly #commands: Command[] = [];
  #taken = 0;
  #preparing = 0;
  /** The statement whose cursor is open. */
  #cursor: Prepared | undefined;

  /** `keepsStatements`: prepared statements outlive their use. */
  constructor(owner: CommandOwner, keepsStatements: boolean) {
    this.#owner = owner;
    this.#statements = new PreparedStatements(keepsStatements);
  }

  /** The command that is answered next. */
  get oldest(): Command | undefined {
    return this.#commands[0];
  }

  get isEmpty(): boolean {
    return this.#packets.isEmpty;
  }

  /** Whether the server owes an answer to what prepares a statement. */
  get isPreparing(): boolean {
    return this.#preparing > 0;
  }

  /** The statement that the server is preparing right now. */
  get inPreparation(): Prepared | undefined {
    return this.oldest instanceof PrepareCommand ? this.oldest.statement : undefined;
  }

  /** Whether every command that was sent is answered. */
  get isIdle(): boolean {
    return this.#taken === 0;
  }

  /** The bytes that were written since the last time. */
  take(): Buffer {
    this.#taken = this.#commands.length;
    return this.#packets.take();
  }

  /** The oldest command is answered. */
  answered(): void {
    this.#commands.shift();
    this.#taken -= 1;
  }

  /** The statement of that text; what prepares it is written unless the server knows it, or will. */
  prepare(text: string): Prepared {
    const statement = this.#statements.take(text);
    if (statement.isAsked) return statement;
    statement.isAsked = true;
    this.#preparing += 1;
    this.#packets.prepare(text);
    this.#commands.push(
      new PrepareCommand(statement, (fault) => {
        this.#preparing -= 1;
        if (fault) this.#statements.forget(statement);
        this.#statements.asked(statement);
        this.#owner.prepared(statement, fault);
      }),
    );
    return statement;
  }

  /** Writes the steps of a run whose statements are prepared. */
  write(sent: SentRun): void {
    for (const [index, step] of sent.run.steps.entries()) this.#step(sent, index, step);
    this.release(sent);
  }

  /** Writes a command that belongs to no run. */
  writeAuxiliary(text: string, done: () => void, failed: () => void): void {
    this.#packets.query(text);
    this.#commands.push({ answer: 'result', columns: [], row: () => undefined, done, failed });
  }

  /** The run needs its statements no more. */
  release(sent: SentRun): void {
    for (const statement of sent.statements) if (statement) this.#statements.release(statement);
    this.#statements.writeClosing(this.#packets);
  }

  /** The statements of a run are not to be relied on. */
  forget(sent: SentRun): void {
    for (const statement of sent.statements) if (statement) this.#statements.forget(statement);
  }

  /** The last row of the statement's cursor has come, with which the server has closed it. */
  drained(statement: Prepared | undefined): void {
    if (!statement || statement !== this.#cursor) return;
    this.#cursor = undefined;
    this.#statements.release(statement);
  }

  #step(sent: SentRun, index: number, { statement, isCursor, rowsMax }: Step): void {
    const prepared = sent.statements[index];
    if (statement && !prepared) this.#command(sent, index, statement);
    else if (statement && prepared && isCursor !== true) {
      this.#packets.execute(prepared.id, statement, false);
      this.#push('execute', sent, index, prepared);
    } else {
      if (statement && prepared) this.#open(sent, index, statement, prepared);
      const cursor = this.#cursor;
      invariant(cursor, 'rows are fetched from a cursor that is open');
      this.#packets.fetch(cursor.id, rowsMax);
      this.#push('fetch', sent, index, cursor);
    }
  }

  #command(sent: SentRun, index: number, { text }: Statement): void {
    if (endsTransaction(text)) this.#closeCursor();
    this.#packets.query(text);
    this.#push('command', sent, index, undefined);
  }

  #open(sent: SentRun, index: number, statement: Statement, prepared: Prepared): void {
    if (prepared !== this.#cursor) {
      this.#closeCursor();
      this.#statements.use(prepared);
      this.#cursor = prepared;
    }
    this.#packets.execute(prepared.id, statement, true);
    this.#push('open', sent, index, prepared);
  }

  #push(kind: StepKind, sent: SentRun, index: number, statement: Prepared | undefined): void {
    sent.unanswered += 1;
    this.#commands.push(new StepCommand({ kind, sent, index, statement }, this.#owner));
  }

  /** The server frees the rows of a cursor together with its statement. */
  #closeCursor(): void {
    const cursor = this.#cursor;
    if (!cursor) return;
    this.#cursor = undefined;
    this.#statements.forget(cursor);
    this.#statements.release(cursor);
    this.#statements.writeClosing(this.#packets);
  }
}
