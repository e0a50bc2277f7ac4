/** A statement as it goes to a database, and what takes its rows. */
import type { Fields, PropertyType, RowBytes } from '../../engine/index.js';
import { decodeText } from '../decode-text.js';
import { SourceError } from './source-error.js';

/** SQL text with the texts of its placeholders. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
  /** What each text is, where the database does not infer it from the statement; absent: texts. */
  readonly types?: readonly (PropertyType | undefined)[] | undefined;
  /** Whether it is not worth preparing: it has neither parameters nor rows (COMMIT). */
  readonly isCommand?: boolean;
  /** Of a `COPY … FROM STDIN`: the lines that follow it. */
  readonly lines?: Buffer;
  /** Of a statement that writes: the stored name of its table, for errors that do not name it. */
  readonly table?: string | undefined;
  /** Of a statement that writes rows: how the row at fault is found, where the database does not tell. */
  readonly trial?: Trial;
}

/** A statement of texts; without parameters, unless they are given. */
export function plain(text: string, parameters: readonly (string | null)[] = []): Statement {
  return { text, parameters };
}

/** The rows of a statement, to be tried one by one. */
export interface Trial {
  readonly rows: number;
  /** The statement of one of the rows alone. */
  readonly alone: (row: number) => Statement;
  /** Of an update of an existing row: the insert that meets the key which is taken. */
  readonly inserted?: (row: number) => Statement;
}

/** Takes the rows of one statement as they come. */
export interface RowSink {
  /** Whether it keeps the bytes beyond the call; otherwise they are borrowed. */
  readonly keepsRows: boolean;
  /**
   * Takes a row: the number of its fields stands at `start` (see the engine's `row-bytes`), the length
   * of the row in the four bytes before. What it throws fails the statement's run.
   */
  row(bytes: Buffer, start: number): void;
  /** The statement is done: rows it wrote (or returned), and whether its cursor has more. */
  complete?(count: number, hasMore: boolean): void;
}

/** One statement of a run. */
export interface Step {
  /** Undefined: the next rows of the open cursor. */
  readonly statement: Statement | undefined;
  /** At most so many rows come; 0: all. */
  readonly rowsMax: number;
  /** Whether the rows beyond `rowsMax` stay at hand as the cursor of the transaction. */
  readonly isCursor?: boolean;
  readonly sink: RowSink;
}

/**
 * Statements that are sent together. Unless they belong to an open transaction, they are one: all of
 * them take effect, or none does (on MySQL this holds for a single statement only).
 */
export interface Run {
  readonly steps: readonly Step[];
  /** Whether its success commits writes, so that a lost connection leaves the outcome unknown. */
  readonly isCommit?: boolean;
  /**
   * Whether it is not to be sent again by itself when tables have changed under its statements: it
   * depends on what they were.
   */
  readonly isBoundToTypes?: boolean;
  /** Whether its statements are not worth keeping prepared; a change of tables does not make them stale. */
  readonly isOnce?: boolean;
  /**
   * Called once, at the end; must not throw. `serviceMs`: the share of the connection's time that it
   * took, averaged over the runs that were answered together.
   */
  end(error: unknown, serviceMs: number): void;
}

/** What a statement that writes has done. */
export interface Written {
  /** The rows that it returned. */
  readonly rows: RowBytes;
  /** How many rows it wrote. */
  readonly count: number;
}

/** Throws rows away. */
export const noRows: RowSink = { keepsRows: false, row: () => undefined };

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

/** The length of a row stands in the four bytes before its number of fields. */
const LENGTH_BYTES = 4;

/** The bytes of a row with its length. */
function rowLength(bytes: Buffer, start: number): number {
  return bytes.readInt32BE(start - LENGTH_BYTES);
}

/** Bytes of rows that may be held in memory. */
export class ByteBudget {
  readonly #max: number;
  #left: number;

  constructor(bytesMax: number) {
    this.#max = bytesMax;
    this.#left = bytesMax;
  }

  /** The part that is used up, from 0 to 1 and beyond. */
  get fill(): number {
    return 1 - this.#left / this.#max;
  }

  /** Throws `rows-over-limit` when there are more than are allowed. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new SourceError('rows-over-limit');
  }
}

/** Keeps rows as the bytes in which they came, within a budget if there is one. */
export function keepRows(rows: RowBytes, budget?: ByteBudget): RowSink {
  return {
    keepsRows: true,
    row: (bytes, start) => {
      budget?.take(rowLength(bytes, start));
      rows.push(bytes, start);
    },
  };
}
