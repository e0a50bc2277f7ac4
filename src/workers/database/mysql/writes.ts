/**
 * Rounds of statements that write to MySQL or MariaDB: up to the last one they are one transaction,
 * and a statement by itself is one without a word. Faults tell less there than on PostgreSQL; what
 * they leave out is found by trying the rows again before all is undone.
 */
import { indexColumns, indexColumnsOf, isOtherKey, toldViolation } from './mysql-violation.js';
import { SourceError, type SourceErrorCode, type Violation } from './source-error.js';
import type { Isolation, Statement, TransactionMode, Trial, Written } from './source.js';

/** Runs commands without rows, then statements, in one round trip. */
export type RunRound = (
  commands: readonly string[],
  statements: readonly Statement[],
) => Promise<Written[]>;

const isolations = {
  readCommitted: 'READ COMMITTED',
  repeatableRead: 'REPEATABLE READ',
  serializable: 'SERIALIZABLE',
} satisfies Record<Isolation, string>;

/** As PostgreSQL does by itself: what others have committed is seen, and gaps are not locked. */
const usualMode: TransactionMode = { isolation: 'readCommitted', readOnly: false };
const SAVE = 'SAVEPOINT rowgate_round';
const RESTORE = 'ROLLBACK TO SAVEPOINT rowgate_round';

/** Statements of one round trip, and how many of their texts may differ: so many stay prepared. */
const ROUND_MAX = 500;
const TEXTS_MAX = 100;

const placed: ReadonlySet<SourceErrorCode> = new Set([
  'unique-violation',
  'foreign-key-violation',
  'not-null-violation',
  'check-violation',
]);

export class MysqlWrites {
  readonly #run: RunRound;
  /** What a transaction begins with. */
  readonly #opening: readonly string[];
  /** Set where everything is one transaction; else each round with `last` ends one. */
  readonly #mode: TransactionMode | undefined;
  #isOpen = false;

  constructor(run: RunRound, mode: TransactionMode | undefined) {
    this.#run = run;
    this.#mode = mode;
    this.#opening = opening(mode ?? usualMode);
  }

  /** Whether a transaction is to be undone before the connection is fit for others. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  async write(statements: readonly Statement[], last: boolean): Promise<Written[]> {
    const isAlone = !this.#mode && !this.#isOpen && last && statements.length === 1;
    const results: Written[] = [];
    for (const part of parts(statements)) {
      const commands = isAlone ? [] : [...(this.#isOpen ? [] : this.#opening), SAVE];
      this.#isOpen = !isAlone;
      const written = await this.#run(commands, part).catch((error: unknown) =>
        this.#fail(error, part, { offset: results.length, isAlone }),
      );
      results.push(...written);
    }
    if (last && this.#isOpen && !this.#mode) await this.#end('COMMIT');
    return results;
  }

  /** Of a transaction with a mode: begins it, so that what is read belongs to it. */
  async begin(): Promise<void> {
    if (!this.#mode || this.#isOpen) return;
    this.#isOpen = true;
    await this.#run(this.#opening, []);
  }

  async commit(): Promise<void> {
    if (this.#isOpen) await this.#end('COMMIT');
  }

  async rollBack(): Promise<void> {
    if (this.#isOpen) await this.#end('ROLLBACK');
  }

  async #end(command: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await this.#run([command], []);
    this.#isOpen = false;
  }

  /** Undoes everything, and throws the fault with all that can be found out about it. */
  async #fail(error: unknown, part: readonly Statement[], round: FailedRound): Promise<never> {
    if (!(error instanceof SourceError) || error.at === undefined) return this.#abandon(error);
    const statement = part[error.at.statement];
    if (!statement || !(placed.has(error.code) || isOtherKey(error))) return this.#abandon(error);
    const before = part.slice(0, error.at.statement);
    const told = await this.#explain(error, statement, { ...round, before }).catch(
      (failure: unknown) => this.#abandon(failure),
    );
    return this.#abandon(told);
  }

  /** What fails in undoing leaves the transaction open, for whoever takes the connection back. */
  async #abandon(error: unknown): Promise<never> {
    await this.rollBack().catch(() => undefined);
    throw error;
  }

  async #explain(
    error: SourceError,
    statement: Statement,
    round: FailedRound & { readonly before: readonly Statement[] },
  ): Promise<SourceError> {
    const { trial } = statement;
    const needsTrial = trial !== undefined && (trial.rows > 1 || isOtherKey(error));
    if (needsTrial) await this.#beforeStatement(round);
    const fault = needsTrial ? await this.#tryRows(trial, error) : { error, row: 0 };
    const { code, sqlstate, cause } = fault.error;
    const violation = await this.#violationOf(fault.error, statement.table);
    const at = { statement: round.offset + round.before.length, row: fault.row };
    return new SourceError(code, { sqlstate, violation, at, cause });
  }

  /** Brings the tables to where they were when the statement began. */
  async #beforeStatement(round: FailedRound & { readonly before: readonly Statement[] }) {
    const commands = round.isAlone ? this.#opening : [RESTORE];
    this.#isOpen = true;
    await this.#run(commands, round.before);
  }

  async #tryRows(trial: Trial, error: SourceError): Promise<RowFault> {
    for (let row = 0; row < trial.rows; row += 1) {
      const own = await this.#faultOf(trial.alone(row));
      if (!own) continue;
      if (!isOtherKey(own) || !trial.inserted) return { error: own, row };
      const taken = await this.#faultOf(trial.inserted(row));
      const { sqlstate, cause } = own;
      return { error: taken ?? new SourceError('unique-violation', { sqlstate, cause }), row };
    }
    return { error, row: 0 };
  }

  async #faultOf(statement: Statement): Promise<SourceError | undefined> {
    try {
      await this.#run([], [statement]);
      return undefined;
    } catch (error) {
      if (error instanceof SourceError && error.at !== undefined) return error;
      throw error;
    }
  }

  async #violationOf(
    error: SourceError,
    table: string | undefined,
  ): Promise<Violation | undefined> {
    if (error.violation) return error.violation;
    const told = table === undefined ? undefined : toldViolation(error, table);
    if (!told || told.index === undefined) return told?.violation;
    const [found] = await this.#run([], [indexColumns(told.violation.table, told.index)]);
    return { ...told.violation, columns: indexColumnsOf(found?.rows ?? []) };
  }
}

/** A round that has failed. */
interface FailedRound {
  /** The statements that were written before it. */
  readonly offset: number;
  /** Whether it was no part of a transaction. */
  readonly isAlone: boolean;
}

interface RowFault {
  readonly error: SourceError;
  readonly row: number;
}

function opening({ isolation, readOnly }: TransactionMode): readonly string[] {
  const start = readOnly ? 'START TRANSACTION READ ONLY' : 'START TRANSACTION';
  if (!isolation) return [start];
  return [`SET TRANSACTION ISOLATION LEVEL ${isolations[isolation]}`, start];
}

function* parts(statements: readonly Statement[]): Generator<readonly Statement[]> {
  let start = 0;
  const texts = new Set<string>();
  for (const [index, { text }] of statements.entries()) {
    texts.add(text);
    if (index - start < ROUND_MAX && texts.size <= TEXTS_MAX) continue;
    yield statements.slice(start, index);
    start = index;
    texts.clear();
    texts.add(text);
  }
  if (start < statements.length) yield statements.slice(start);
}
