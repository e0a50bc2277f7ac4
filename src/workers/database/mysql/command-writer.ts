/**
 * Writes the commands of runs one after the other, and records which are not answered yet. It knows
 * the prepared statements of its connection and the open cursor.
 */
import { invariant } from '../../../engine/index.js';
import type { Statement, Step } from '../statement.js';
import type { Command } from './answers.js';
import { type CommandOwner, type SentStep, StepCommand } from './commands.js';
import type { ServerFault } from './errors.js';
import { PacketWriter } from './packets.js';
import type { SentRun } from './sent-run.js';
import { type Prepared, PreparedStatements } from './statements.js';
import { endsTransaction } from './transactions.js';

const nothing = (): void => undefined;

export class CommandWriter {
  readonly #packets = new PacketWriter();
  readonly #statements: PreparedStatements;
  readonly #owner: CommandOwner;
  /** Unanswered commands in order, and how many of them were sent. */
  readonly #commands: Command[] = [];
  #taken = 0;
  #cursor: Prepared | undefined;

  /** `keepsStatements`: prepared statements are kept after their use. */
  constructor(owner: CommandOwner, keepsStatements: boolean) {
    this.#owner = owner;
    this.#statements = new PreparedStatements(keepsStatements);
  }

  /** See `PreparedStatements`. */
  canKeep(text: string): boolean {
    return this.#statements.canKeep(text);
  }

  /** The next command to be answered. */
  get oldest(): Command | undefined {
    return this.#commands[0];
  }

  get isEmpty(): boolean {
    return this.#packets.isEmpty;
  }

  /** Whether a statement is being prepared. */
  get isPreparing(): boolean {
    return this.#commands.some(({ answer }) => answer === 'prepared');
  }

  get inPreparation(): Prepared | undefined {
    return this.oldest?.answer === 'prepared' ? this.oldest.statement : undefined;
  }

  /** Whether a command was sent and is not answered. */
  get isServing(): boolean {
    return this.#taken > 0;
  }

  /** The bytes written since the last call. */
  take(): Buffer {
    this.#taken = this.#commands.length;
    return this.#packets.take();
  }

  /** The oldest command was answered. */
  answered(): void {
    this.#commands.shift();
    this.#taken -= 1;
  }

  /** The statement for a text. It is prepared if the server does not have it. */
  prepare(text: string): Prepared {
    const statement = this.#statements.take(text);
    if (statement.isAsked) return statement;
    statement.isAsked = true;
    this.#packets.prepare(text);
    const prepared = (fault?: ServerFault): void => {
      // A statement that is forgotten here is closed by that.
      this.#statements.asked(statement);
      if (fault) this.#statements.forget(statement);
      this.#owner.prepared(statement, fault);
    };
    this.#written({
      answer: 'prepared',
      answerNumber: 0,
      statement,
      row: nothing,
      prepared,
      done: nothing,
      failed: prepared,
    });
    return statement;
  }

  /** Writes the steps of a run whose statements are prepared. */
  write(sent: SentRun): void {
    for (const [index, step] of sent.run.steps.entries()) this.#step(sent, index, step);
    this.release(sent);
  }

  /** Writes a command that does not belong to a run. */
  writeAuxiliary(text: string, done: () => void, failed: () => void): void {
    this.#packets.query(text);
    const own = { statement: undefined, row: nothing, done, failed };
    this.#written({ answer: 'result', answerNumber: 0, ...own });
  }

  /** The run no longer needs its statements. */
  release(sent: SentRun): void {
    for (const statement of sent.statements) if (statement) this.#statements.release(statement);
    this.#statements.writeClosing(this.#packets);
  }

  /** The statements of a run are no longer reliable. */
  forget(sent: SentRun): void {
    for (const statement of sent.statements) if (statement) this.#statements.forget(statement);
  }

  /** The server has sent the last row of the statement's cursor, and closed it. */
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
      this.#push({ kind: 'execute', sent, index, statement: prepared });
    } else {
      if (statement && prepared) this.#open(sent, index, statement, prepared);
      const cursor = this.#cursor;
      invariant(cursor, 'rows are fetched from a cursor that is open');
      this.#packets.fetch(cursor.id, rowsMax);
      this.#push({ kind: 'fetch', sent, index, statement: cursor });
    }
  }

  #command(sent: SentRun, index: number, { text }: Statement): void {
    if (endsTransaction(text)) this.#closeCursor();
    this.#packets.query(text);
    this.#push({ kind: 'command', sent, index, statement: undefined });
  }

  #open(sent: SentRun, index: number, statement: Statement, prepared: Prepared): void {
    if (prepared !== this.#cursor) {
      this.#closeCursor();
      prepared.uses += 1;
      this.#cursor = prepared;
    }
    this.#packets.execute(prepared.id, statement, true);
    this.#push({ kind: 'open', sent, index, statement: prepared });
  }

  #push(step: SentStep): void {
    step.sent.unanswered += 1;
    this.#written(new StepCommand(step, this.#owner));
  }

  #written(command: Command): void {
    command.answerNumber = this.#packets.answerNumber;
    this.#commands.push(command);
  }

  /** Closing the statement also frees the rows of its cursor. */
  #closeCursor(): void {
    const cursor = this.#cursor;
    if (!cursor) return;
    this.#cursor = undefined;
    this.#statements.forget(cursor);
    this.#statements.release(cursor);
    this.#statements.writeClosing(this.#packets);
  }
}
