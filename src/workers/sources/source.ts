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
  /** Of one that writes: the stored name of its table, for faults that do not tell it. */
  readonly table?: string;
  /** Of one that writes rows: how the one at fault is found, where the database does not tell. */
  readonly trial?: Trial;
}

/** The rows of a statement, to be tried one by one. */
export interface Trial {
  readonly rows: number;
  /** The statement of one of the rows alone. */
  readonly alone: (row: number) => Statement;
  /** Where that updates a row which is there: what inserts it, and so meets the key that is taken. */
  readonly inserted?: (row: number) => Statement;
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
  /**
   * `fetchBytes` and `nextBytes` in one round trip, so that the database goes on while the rows are
   * written. Absent where a source cannot.
   */
  fetchAheadBytes?(
    statements: readonly Statement[],
    rowsMax: number,
    windowRows: number,
  ): Promise<FetchedAhead>;
}

/** Who takes the rows of a short read, and hears of its end. */
export interface QuickRead {
  /** Whether rows are kept; else they are lent. */
  readonly keepsRows: boolean;
  /** What it throws fails the read. */
  row(bytes: Buffer, start: number): void;
  /**
   * Told once, and then nothing more; must not throw. `error`: a `SourceError`, a `ReadHeldUp`,
   * or what `row` has thrown.
   */
  end(error?: unknown): void;
}

/** A short read that runs. */
export interface QuickRun {
  /** Has it end at once, with `cancelled`, whatever the database does. */
  cancel(): void;
  /** It takes long: nothing more is sent behind it. One that waits for another ends as `ReadHeldUp`. */
  overdue(): void;
}

/** The rows of statements, and the window of the open read that follows. */
export interface FetchedAhead {
  readonly results: readonly RowBytes[];
  readonly next: ByteWindow;
}

/** How a transaction runs; what is absent is the database's own default. */
export interface TransactionMode {
  readonly isolation?: Isolation | undefined;
  /** Whether the database refuses writes. */
  readonly readOnly: boolean;
}

export type Isolation = 'readCommitted' | 'repeatableRead' | 'serializable';

/**
 * A session on which all that runs is one transaction, whichever rounds are `last`: it begins with the
 * first statement, and after `commit` and `rollBack` with the next. `release` undoes what is open.
 */
export interface TransactionSession extends ByteSession {
  write(statements: readonly Statement[], last: boolean): Promise<Written[]>;
  /** Runs these statements, and commits. */
  commit(statements?: readonly Statement[]): Promise<void>;
  /** Undoes everything; what failed before does not matter. */
  rollBack(): Promise<void>;
}

/** The statements on the table of answers that are kept under the keys of their requests. */
export interface KeptAnswers {
  /** Make the table, if it is not there, in one transaction. */
  readonly create: readonly Statement[];
  /**
   * Takes the key, unless an answer is kept under it; waits until that is known. May give a row where the
   * key is taken; else `find` tells, which gives no answer then.
   */
  claim(key: string, fingerprint: string, keepMs: number): Statement;
  /** Gives the fingerprint and the answer under a key. */
  find(key: string): Statement;
  /** Stores the answer under a key that is taken. */
  keep(key: string, answer: string): Statement;
  /** Deletes a bounded number of rows whose time is over. */
  sweep(keepMs: number): Statement;
  /** Whether a statement failed because the table is not there. */
  isMissing(error: unknown): boolean;
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
  /**
   * Runs a short read, of which at most `rowsMax` rows (0: all) come, on a connection that may still be at
   * work for another. Undefined, and nothing has begun: no connection is at hand. Absent where a source cannot.
   */
  tryRead?(statement: Statement, rowsMax: number, read: QuickRead): QuickRun | undefined;
  /** A session for a transaction of several steps; absent where a source has none. */
  openTransaction?(mode: TransactionMode, cancellation: Cancellation): Promise<TransactionSession>;
  readonly keptAnswers: KeptAnswers;
  /** Whether the database answers within the time; never takes the last free connection. */
  ping(timeoutMs: number): Promise<boolean>;
  /** Those of `tables`, as they stand in SQL, that the database does not have. */
  missingTables(tables: readonly string[]): Promise<string[]>;
  /** Waits for the sessions that are out, and closes every connection. */
  close(): Promise<void>;
}
