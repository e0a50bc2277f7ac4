/** A statement for a database, and the receiver of its rows. */
import type { ColumnNumbers, Fields, PropertyType, RowBytes } from '../../engine/index.js';
import { decodeText } from '../decode-text.js';
import { rowLength, sharedMemory } from './row-memory.js';
import { SourceError } from './source-error.js';

/** SQL text and the texts of its placeholders. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
  /** The type of each text, if the database cannot infer it from the statement. */
  readonly types?: readonly (PropertyType | undefined)[] | undefined;
  /** Whether it has no parameters, and is not prepared (COMMIT). Its rows have no types. */
  readonly isCommand?: boolean;
  /** For a `COPY … FROM STDIN`: its lines. */
  readonly lines?: Buffer;
  /** For a statement that writes: the stored name of its table, for errors that do not name it. */
  readonly table?: string | undefined;
  /** The schema of that table, if its mapping names one; on MySQL and MariaDB its database. */
  readonly schema?: string | undefined;
  /**
   * Whether it fails with {@link isRepeatedRow} if two of its rows have the same key. An open transaction can then go
   * on without it.
   */
  readonly mayRepeatKey?: boolean;
  /** For a statement in a write: the most bytes of rows that it may return. More are `rows-over-limit`. */
  readonly rowBytesMax?: number | undefined;
  /** For a statement that writes rows: how to find the wrong row, if the database does not name it. */
  readonly rowByRow?: RowByRow;
  /** For a statement that writes rows: its numbers, if the database does not say which one is out of range. */
  readonly numbers?: () => WrittenNumbers;
}

/** The numbers that a statement stores as they are, and their table as SQL. */
export interface WrittenNumbers {
  readonly table: string;
  readonly columns: readonly ColumnNumbers[];
}

/** A statement without types. */
export function plain(text: string, parameters: readonly (string | null)[] = []): Statement {
  return { text, parameters };
}

/** How to try the rows of a statement one by one. */
export interface RowByRow {
  readonly rows: number;
  /** The statement for one of the rows. */
  readonly alone: (row: number) => Statement;
  /** For an update of an existing row: an insert that conflicts with the same key. */
  readonly inserted?: (row: number) => Statement;
}

/** Receives the rows of one statement. */
export interface RowSink {
  /**
   * Receives a row, whose bytes it uses only during the call. The number of its fields is at `start` (see the
   * engine's `row-bytes`), and the length of the row in the four bytes before. An error that it throws fails the
   * statement's run.
   */
  row(bytes: Buffer, start: number): void;
  /** On MySQL and MariaDB, before the end: the first AUTO_INCREMENT key that it stored without returning rows. */
  inserted?(key: number): void;
  /**
   * The statement has ended: how many rows it wrote or returned, and whether its cursor has more. On MySQL and
   * MariaDB, also how many warnings it caused.
   */
  complete?(count: number, hasMore: boolean, warnings?: number): void;
}

export interface Step {
  /** If undefined, the next rows of the open cursor. */
  readonly statement: Statement | undefined;
  /** The most rows that arrive; 0: all. */
  readonly rowsMax: number;
  /** Whether further rows remain available in the transaction's cursor. */
  readonly isCursor?: boolean;
  readonly sink: RowSink;
}

/**
 * Statements that are sent together. Unless they belong to an open transaction, they are one: all
 * of them take effect, or none (on MySQL only if it is a single statement).
 */
export interface Run {
  readonly steps: readonly Step[];
  /**
   * Whether its success commits writes, so that the outcome is unknown if the connection is lost.
   */
  readonly isCommit?: boolean;
  /**
   * Whether its text was chosen by the types of its tables, and must not be sent again when these change. On MySQL and
   * MariaDB it was not: the types are not asked for.
   */
  readonly isBoundToTypes?: boolean;
  /** Whether its statements are not worth keeping prepared. They never become stale. */
  readonly isOnce?: boolean;
  /**
   * For a read that may share a transaction with others: its expected time in milliseconds. If one
   * of them fails, those after it are sent again.
   */
  readonly expectedMs?: number | undefined;
  /** For a read: forgets the rows that have arrived. Returns false if some have been passed on. */
  restart?(): boolean;
  /**
   * Called once at the end; must not throw. `serviceMs` is its share of the connection's time,
   * averaged over the runs that were answered together.
   */
  end(error: unknown, serviceMs: number): void;
}

/** The result of a statement that writes. */
export interface Written {
  readonly rows: RowBytes;
  /** How many rows it wrote. */
  readonly count: number;
  /** On MySQL and MariaDB: the first AUTO_INCREMENT key that it stored, if it returned no rows. */
  readonly insertedKey?: number | undefined;
}

export const noRows: RowSink = { row: () => undefined };

/** A step without rows, or whose rows are discarded. */
export function stepOf(statement: Statement): Step {
  return { statement, rowsMax: 0, sink: noRows };
}

/** The step of a statement without parameters or rows. */
export function command(text: string): Step {
  return stepOf({ text, parameters: [], isCommand: true });
}

/** The texts of a row. */
export function fieldsOf(bytes: Buffer, start: number): Fields {
  const fields: (string | null)[] = [];
  const count = bytes.readUInt16BE(start);
  let at = start + 2;
  for (let i = 0; i < count; i += 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    fields.push(length < 0 ? null : decodeText(bytes, at, at + length));
    at += Math.max(0, length);
  }
  return fields;
}

/** A limit for the bytes of rows in memory. */
export class ByteBudget {
  readonly #max: number;
  readonly #detail: string | undefined;
  #left: number;

  /** `detail`: the sentence of the error. */
  constructor(bytesMax: number, detail?: string) {
    this.#max = bytesMax;
    this.#detail = detail;
    this.#left = bytesMax;
  }

  /** The used part, from 0 to 1 and above. */
  get fill(): number {
    return 1 - this.#left / this.#max;
  }

  /** Throws `rows-over-limit` if the limit is exceeded. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new SourceError('rows-over-limit', { detail: this.#detail });
  }
}

/** Collects rows as bytes, within a budget if one is given. */
export function keepRows(rows: RowBytes, budget?: ByteBudget, memory = sharedMemory): RowSink {
  return {
    row: (bytes, start) => {
      budget?.take(rowLength(bytes, start));
      memory.keep(rows, bytes, start);
    },
  };
}
