/**
 * What the rest of a worker knows of a database: a bounded set of connections, one of which a
 * request holds as a session until it ends. Nothing here belongs to one dialect.
 */
import type { DialectName, Fields, PropertyType, RowBytes } from '../../engine/index.js';
import type { Cancellation } from '../execution/cancellation.js';

/** A sentence with the texts of its placeholders. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
  /** What each text is, where the database is not told by the sentence; none: texts. */
  readonly types?: readonly (PropertyType | undefined)[];
}

/** Takes each row as it comes. What it throws ends the statement and rejects its promise. */
export type RowSink = (fields: Fields) => void;

/** Takes each row as the bytes in which it came (see `row-bytes` of the engine); they are lent. */
export type ByteSink = (bytes: Buffer, start: number) => void;

/** Counts the bytes of rows as they come. What it throws ends the statement. */
export interface ByteBudget {
  take(bytes: number): void;
}

/** Some rows of an open read as bytes, and whether they are its last. */
export interface ByteWindow {
  readonly rows: RowBytes;
  readonly ended: boolean;
}

/** Some rows of an open read, and whether they are its last. */
export interface RowWindow {
  readonly rows: readonly Fields[];
  readonly ended: boolean;
}

/** What a statement that writes has done. */
export interface Written {
  /** The rows that it returned. */
  readonly rows: readonly Fields[];
  /** How many rows it wrote. */
  readonly count: number;
}

/**
 * A connection that one request holds. What fails rejects with a `SourceError` and ends what was
 * open; the session may begin anew.
 */
export interface Session {
  /** Runs a statement to its end; at most `rowsMax` rows (0: all) come to `sink`. */
  stream(statement: Statement, rowsMax: number, sink: RowSink): Promise<void>;
  /** Stops and resumes the rows of `stream`; some that are already here still come. */
  pause(): void;
  resume(): void;
  /**
   * Opens a read whose rows come in windows. Until its end, whatever the session runs belongs to
   * the same transaction.
   */
  open(statement: Statement, windowRows: number): Promise<RowWindow>;
  next(windowRows: number): Promise<RowWindow>;
  /** Runs statements in one round trip, each to its end or `rowsMax` rows (0: all). */
  fetch(statements: readonly Statement[], rowsMax: number, last: boolean): Promise<Fields[][]>;
  /**
   * Runs statements that write, in one round trip. Rounds up to one with `last` are one transaction,
   * which that one commits; without it, everything is undone. Absent where a source only reads.
   */
  write?(statements: readonly Statement[], last: boolean): Promise<Written[]>;
  /** Asks the database to stop what runs; the running promise then rejects with `cancelled`. */
  cancel(): void;
  /**
   * Ends what `open` began, and gives the connection back once it is fit for others; destroys it
   * when it is not. Nothing may run.
   */
  release(): void;
}

/** A session whose rows may be had as bytes, which is how answers are written. */
export interface ByteSession extends Session {
  streamBytes(statement: Statement, rowsMax: number, sink: ByteSink): Promise<void>;
  openBytes(statement: Statement, windowRows: number): Promise<ByteWindow>;
  nextBytes(windowRows: number): Promise<ByteWindow>;
  fetchBytes(
    statements: readonly Statement[],
    rowsMax: number,
    last: boolean,
    budget?: ByteBudget,
  ): Promise<readonly RowBytes[]>;
}

/** A database of the schema, as one worker reaches it. */
export interface Source {
  readonly name: string;
  readonly dialect: DialectName;
  /**
   * Waits for a connection, no longer than is configured; rejects with a `SourceError`. Those that
   * wait with the same `flow` are one of many that take turns.
   */
  openSession(cancellation: Cancellation, flow?: object): Promise<ByteSession>;
  /** Whether the database answers within the time; never takes the last free connection. */
  ping(timeoutMs: number): Promise<boolean>;
  /** Those of `tables`, as they stand in SQL, that the database does not have. */
  missingTables(tables: readonly string[]): Promise<string[]>;
  /** Waits for the sessions that are out, and closes every connection. */
  close(): Promise<void>;
}
