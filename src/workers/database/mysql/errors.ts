/** Maps error numbers to codes: the meaning of each failure of MySQL, MariaDB or a connection. */
import { SqlError } from 'mariadb';
import {
  DATE_OUT_OF_RANGE,
  NO_MORE_NUMBERS,
  SourceError,
  type SourceErrorCode,
  type Violation,
} from '../source-error.js';
import { unreachable } from '../unreachable.js';

/** An error that the server has answered. */
export class ServerFault extends Error {
  readonly errno: number;
  readonly sqlState: string;

  constructor(errno: number, sqlState: string, message: string) {
    super(message);
    this.errno = errno;
    this.sqlState = sqlState;
  }
}

/** A fetch from a statement without a cursor. */
export const NO_CURSOR = 1421;

/** Rowgate's own number: a cursor has a part that is an ENUM or a SET. */
export const ORDINAL_PART = -1;

/** A statement was interrupted by KILL QUERY. */
const INTERRUPTED = 1317;
/** A connection was ended by KILL. */
export const KILLED = 1927;
/** An error of the storage engine, or of the replication in a cluster, at a commit. */
export const DURING_COMMIT = 1180;
/** KILL QUERY, KILL, shutdown, and the server's own time limits. */
const interruptions: ReadonlySet<number> = new Set([INTERRUPTED, 1053, KILLED, 1969, 3024, 3169]);

/**
 * A value that is not one of its type; MySQL has another number for it in comparisons. Dates are checked before they
 * are sent, so these are too early or too late.
 */
const wrongValue: ReadonlySet<number> = new Set([1292, 1525]);
const FAR_DATE = /^Incorrect (date|datetime|timestamp) value/i;

/**
 * AUTO_INCREMENT is at the maximum of its column, for which an unsigned 64-bit one has another number; or a sequence of
 * MariaDB has ended.
 */
const noMoreNumbers: ReadonlySet<number> = new Set([167, 1467, 4084]);

const NO_DATABASE_SELECTED = 1046;
export const NO_DATABASE =
  "The connection names no database: add its name, as in mysql://user:password@host/shop, or as its member 'database'.";

/** Two, three or more columns with different collations are compared or searched. */
const mixedCollations: ReadonlySet<number> = new Set([1267, 1270, 1271]);
/** MySQL: a parameter or a literal has characters that the character set of its column lacks. */
const foreignCharacters: ReadonlySet<number> = new Set([3854, 3988]);

/** Whether a statement was interrupted from outside. */
export function isInterruption({ errno }: ServerFault): boolean {
  return interruptions.has(errno);
}

/** Whether the statement was interrupted by KILL QUERY. */
export function wasInterrupted(error: unknown): boolean {
  const cause = error instanceof SourceError ? error.cause : undefined;
  return cause instanceof ServerFault && cause.errno === INTERRUPTED;
}

const numbers: readonly (readonly [SourceErrorCode, readonly number[]])[] = [
  ['unique-violation', [1022, 1062, 1169, 1557, 1586]],
  // Galera uses 1047, too: a node without a quorum does not serve tables.
  [
    'source-unavailable',
    [
      1021, 1037, 1040, 1041, 1042, 1044, 1045, 1047, 1049, 1053, 1114, 1129, 1130, 1203, 1226,
      1461, 1927, 3169, 4031,
    ],
  ],
  // Proxies have no server, or have lost it: ProxySQL, MaxScale, MySQL Router and (9501) RDS Proxy.
  [
    'source-unavailable',
    [2002, 2003, 2006, 2013, 2014, 2026, 2027, 2055, 9001, 9002, 9004, 9005, 9007, 9501],
  ],
  // 4078: MariaDB cannot compare an `inet4` with an `inet6`.
  ['operation-undefined', [4078, ORDINAL_PART]],
  ['schema-mismatch', [NO_DATABASE_SELECTED, 1054, 1064, 1146]],
  ['permission-denied', [1142, 1143, 1227, 1370]],
  // SIGNAL in a trigger or a function, views into which nothing can be stored, and generated columns. 1235: what the
  // server does not support, such as an upsert beside a key WITHOUT OVERLAPS. 1093: MySQL refuses a write whose condition
  // reads the same table, but is always false.
  ['refused-by-database', [1093, 1235, 1288, 1348, 1393, 1394, 1395, 1471, 1643, 1644, 1906, 3105]],
  // Limits of the server for sorting, locks and transactions, tables that it does not replicate, refusals of a cluster, and
  // statements that ProxySQL does not forward.
  [
    'refused-by-database',
    [1038, 1197, 1206, 1598, 1705, 1785, 1786, 3098, 3100, 9003, 9006, DURING_COMMIT],
  ],
  ['not-null-violation', [1048, 1138, 1263, 1364, 1423]],
  // 1436: the thread that evaluates an expression has run out of stack.
  ['evaluation-failed', [1104, 1139, 1242, 1265, 1292, 1365, 1366, 1367, 1411, 1436, 1441, 1525]],
  // 1020: the row has changed since the transaction's snapshot (MariaDB, innodb_snapshot_isolation).
  ['serialization-failure', [1020, 1205, 1213, 1412]],
  ['foreign-key-violation', [1216, 1217, 1451, 1452, 1761, 1762]],
  ['cached-plan-invalid', [1243, 1615]],
  // An ambiguous name in SQL that Rowgate has written, which has a state of violated constraints.
  ['internal', [1052]],
  ['value-out-of-range', [1264, 1690, 1916]],
  ['write-in-read-only', [1290, 1792, 1836]],
  ['statement-timeout', [1317, 1969, 3024]],
  ['value-too-long', [1406]],
  ['text-too-long', [1153, 1301]],
  // 1369: the condition of an updatable view. 1526: there is no partition for the row.
  ['check-violation', [1369, 1526, 3819, 4025]],
];

/** The details of numbers whose cause is better known than that of their code. */
const detailOf = new Map([
  [NO_DATABASE_SELECTED, NO_DATABASE],
  [
    ORDINAL_PART,
    'Pages after a cursor cannot be sorted by an ENUM or a SET. Sort by its text, as in concat(p.name), even if it is only a part of the primary key.',
  ],
  [1038, 'The database has too little memory to sort the rows: its sort_buffer_size is too small.'],
]);

const codes = new Map(
  numbers.flatMap(([code, all]) => all.map((number) => [number, code] as const)),
);

const classes: Readonly<Record<string, SourceErrorCode>> = {
  '08': 'source-unavailable',
  '22': 'evaluation-failed',
  '23': 'check-violation',
  '28': 'source-unavailable',
  '40': 'serialization-failure',
  '42': 'schema-mismatch',
};

/** The error of a statement that the server or its connection made fail. */
export function mysqlError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const fault = faultOf(error);
  if (!fault) return unreachable(error);
  const { errno, sqlState: sqlstate, message } = fault;
  const origin = { sqlstate, cause: error };
  if (wrongValue.has(errno) && FAR_DATE.test(message)) {
    const violation = violationOf(message);
    return new SourceError('value-out-of-range', {
      ...origin,
      detail: DATE_OUT_OF_RANGE,
      violation,
    });
  }
  if (foreignCharacters.has(errno))
    return new SourceError('evaluation-failed', { ...origin, detail: foreignDetail(message) });
  if (noMoreNumbers.has(errno))
    return new SourceError('value-out-of-range', { ...origin, detail: NO_MORE_NUMBERS });
  if (mixedCollations.has(errno))
    return new SourceError('evaluation-failed', { ...origin, detail: mixedDetail(message) });
  const code = codeOf(fault);
  if (code === 'source-unavailable') return unreachable(error, sqlstate);
  const missing = code === 'schema-mismatch' ? columnOf(message) : undefined;
  const told = { ...origin, detail: detailOf.get(errno), missing, violation: violationOf(message) };
  return new SourceError(code, told);
}

/** `Illegal mix of collations (utf8mb4_general_ci,IMPLICIT) and (utf8mb4_unicode_ci,IMPLICIT) for operation '='`. */
function mixedDetail(message: string): string {
  const mixed = [...message.matchAll(/\((\w+),(\w+)\)/g)];
  const columns = mixed.filter(([, , from]) => from !== 'COERCIBLE').map(([, name = '']) => name);
  const [column = ''] = columns;
  if (columns.length === 1 && mixed.length > 1 && !column.startsWith('utf8mb4')) {
    const [characterSet] = column.split('_', 1);
    return `A string that is compared with a column has characters that the column's character set (${characterSet}) lacks.`;
  }
  const names = new Set(mixed.map(([, name]) => name));
  const which = names.size === 0 ? '' : ` (${[...names].join(' and ')})`;
  return `The query compares strings of columns that have different collations${which}. Give them the same one in the database. Until then, 'include' is the only way to follow a relation between such columns.`;
}

/**
 * `Conversion from collation utf8mb4_bin into latin1_swedish_ci impossible for parameter`, `Cannot convert string '…' from
 * utf8mb4 to latin1`.
 */
function foreignDetail(message: string): string {
  const [, characterSet] = /.* (?:into|to) ([a-z0-9]+)/.exec(message) ?? [];
  const named = characterSet === undefined ? '' : ` (${characterSet})`;
  return `A string has characters that the character set of a column${named} lacks.`;
}

/** Whether a trigger or a routine has raised the error: only SIGNAL has states of class 45, with any number. */
export function isSignal({ sqlState }: ServerFault): boolean {
  return sqlState.startsWith('45');
}

function codeOf(fault: ServerFault): SourceErrorCode {
  const { errno, sqlState, message } = fault;
  if (isSignal(fault)) return 'refused-by-database';
  if (errno === DURING_COMMIT && CONFLICT.test(message)) return 'serialization-failure';
  if (writesToDisk.has(errno) && NO_SPACE.test(message)) return 'source-unavailable';
  const [, whose] = SPACE_LIMIT.exec(message) ?? [];
  if (whose !== undefined) return whose === 'Local' ? 'refused-by-database' : 'source-unavailable';
  if (errno === PREVENTED && MEMORY.test(message)) return 'refused-by-database';
  return codes.get(errno) ?? classes[sqlState.slice(0, 2)] ?? 'internal';
}

/** `Got error 149 "Lock deadlock; Retry transaction" during COMMIT`: clusters find conflicts at the commit. */
const CONFLICT = /^Got error 149\b/;
/** `Got error 90 "Message too long" during COMMIT`: a cluster does not replicate transactions of that size. */
const TOO_LONG = /^Got error 90\b/;
/** A temporary file could not be created or written, a file, or a table. */
const writesToDisk: ReadonlySet<number> = new Set([1, 3, 1026, 1030]);
const NO_SPACE = /No space left/;
/** MariaDB limits the temporary files of a session and of all sessions. Their numbers differ between versions. */
const SPACE_LIMIT = /^(Local|Global) temporary space limit reached/;
/** An option forbids the statement: `--read-only`, or `--max-session-mem-used`. */
const PREVENTED = 1290;
const MEMORY = /max-session-mem-used/;

/** Whether an error during a commit says that nothing is stored. */
export function isRolledBack({ message }: ServerFault): boolean {
  return CONFLICT.test(message) || TOO_LONG.test(message);
}

/** The connector's own errors have numbers from 45,000: they mean that the connection failed. */
function faultOf(error: unknown): ServerFault | undefined {
  if (error instanceof ServerFault) return error;
  if (!(error instanceof SqlError) || error.errno <= 0 || error.errno >= 45_000) return undefined;
  return new ServerFault(error.errno, error.sqlState ?? 'HY000', error.sqlMessage ?? '');
}

/** `Unknown column 's.phone' in 'SELECT'`. */
function columnOf(message: string): string | undefined {
  return /^Unknown column '(?:.*\.)?([^.]+?)' in /.exec(message)?.[1];
}

/**
 * The foreign key in an error message: (`db`.`table`, CONSTRAINT `k` FOREIGN KEY (`a`, `b`) …), a generated
 * column: `The value specified for generated column 'a' in table 'b' …`, or the column that a value does not fit.
 */
function violationOf(message: string): Violation | undefined {
  const [, column, of] = / generated column '(.+)' in table '(.+)' /.exec(message) ?? [];
  if (column !== undefined) return { table: of, columns: [column], values: [] };
  const foreign = /\(`([^`]*)`\.`([^`]*)`, CONSTRAINT .* FOREIGN KEY \(([^)]*)\)/.exec(message);
  if (!foreign) return unfitOf(message);
  const [, schema, table = '', columns = ''] = foreign;
  return {
    schema,
    table,
    columns: columns.split(', ').map((name) => name.slice(1, -1)),
    values: [],
  };
}

/** `Data truncated for column 'a' at row 1`, ``Incorrect inet6 value: '…' for column `db`.`table`.`a` at row 1``. */
function unfitOf(message: string): Violation | undefined {
  const [, table, qualified, alone] =
    / for column (?:`[^`]*`\.`([^`]*)`\.`([^`]*)`|'([^']*)') at row \d+$/.exec(message) ?? [];
  const column = qualified ?? alone;
  return column === undefined ? undefined : { table, columns: [column], values: [] };
}
