/** Error numbers to codes: what each failure of MySQL, MariaDB or a connection means to a request. */
import { SqlError } from 'mariadb';
import { SourceError, type SourceErrorCode, type Violation } from '../source-error.js';

/** What the server answers a command with when it fails. */
export class ServerFault extends Error {
  readonly errno: number;
  readonly sqlState: string;

  constructor(errno: number, sqlState: string, message: string) {
    super(message);
    this.errno = errno;
    this.sqlState = sqlState;
  }
}

/** A fetch from a statement that has opened no cursor. */
export const NO_CURSOR = 1421;

/** A statement was interrupted by KILL QUERY. */
const INTERRUPTED = 1317;
/** KILL QUERY, KILL, shutdown, and the server's own time limits. */
const interruptions: ReadonlySet<number> = new Set([INTERRUPTED, 1053, 1927, 1969, 3024, 3169]);

/** Whether a statement was broken off by others, and not by what it found. */
export function isInterruption({ errno }: ServerFault): boolean {
  return interruptions.has(errno);
}

/** Whether the error is that of a statement that KILL QUERY has interrupted. */
export function wasInterrupted(error: unknown): boolean {
  const cause = error instanceof SourceError ? error.cause : undefined;
  return cause instanceof ServerFault && cause.errno === INTERRUPTED;
}

const codes: Readonly<Record<number, SourceErrorCode>> = {
  1022: 'unique-violation',
  1040: 'source-unavailable',
  1041: 'source-unavailable',
  1042: 'source-unavailable',
  1044: 'source-unavailable',
  1045: 'source-unavailable',
  1046: 'schema-mismatch',
  // Also of Galera: a node without a quorum serves no tables.
  1047: 'source-unavailable',
  1048: 'not-null-violation',
  1049: 'source-unavailable',
  1053: 'source-unavailable',
  1054: 'schema-mismatch',
  1062: 'unique-violation',
  1064: 'schema-mismatch',
  1104: 'evaluation-failed',
  1114: 'source-unavailable',
  1129: 'source-unavailable',
  1130: 'source-unavailable',
  1138: 'not-null-violation',
  1139: 'evaluation-failed',
  1142: 'schema-mismatch',
  1143: 'schema-mismatch',
  1146: 'schema-mismatch',
  1169: 'unique-violation',
  1203: 'source-unavailable',
  1205: 'serialization-failure',
  1213: 'serialization-failure',
  1216: 'foreign-key-violation',
  1217: 'foreign-key-violation',
  1226: 'source-unavailable',
  1242: 'evaluation-failed',
  1243: 'statement-stale',
  1263: 'not-null-violation',
  1264: 'value-out-of-range',
  1265: 'evaluation-failed',
  1267: 'evaluation-failed',
  1270: 'evaluation-failed',
  1271: 'evaluation-failed',
  1290: 'write-in-read-only',
  1292: 'evaluation-failed',
  1301: 'evaluation-failed',
  1317: 'statement-timeout',
  1364: 'not-null-violation',
  1365: 'evaluation-failed',
  1366: 'evaluation-failed',
  1367: 'evaluation-failed',
  1406: 'value-too-long',
  1411: 'evaluation-failed',
  1412: 'serialization-failure',
  // The stack of the thread that computes an expression comes to its end.
  1436: 'evaluation-failed',
  1441: 'evaluation-failed',
  1451: 'foreign-key-violation',
  1452: 'foreign-key-violation',
  1461: 'source-unavailable',
  1557: 'unique-violation',
  1586: 'unique-violation',
  1615: 'statement-stale',
  1690: 'value-out-of-range',
  1761: 'foreign-key-violation',
  1762: 'foreign-key-violation',
  1792: 'write-in-read-only',
  1836: 'write-in-read-only',
  1927: 'source-unavailable',
  1969: 'statement-timeout',
  3024: 'statement-timeout',
  3169: 'source-unavailable',
  3819: 'check-violation',
  4025: 'check-violation',
  4031: 'source-unavailable',
};

const classes: Readonly<Record<string, SourceErrorCode>> = {
  '08': 'source-unavailable',
  '22': 'evaluation-failed',
  '23': 'check-violation',
  '28': 'source-unavailable',
  '40': 'serialization-failure',
  '42': 'schema-mismatch',
};

/** The error of a statement that the server or its connection failed. */
export function mysqlError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const fault = faultOf(error);
  if (!fault) return new SourceError('source-unavailable', { cause: error });
  const { errno, sqlState: sqlstate, message } = fault;
  const code = codes[errno] ?? classes[sqlstate.slice(0, 2)] ?? 'internal';
  return new SourceError(code, { sqlstate, violation: violationOf(message), cause: error });
}

/** The connector's own faults have numbers from 45,000 on: there, the connection is at fault. */
function faultOf(error: unknown): ServerFault | undefined {
  if (error instanceof ServerFault) return error;
  if (!(error instanceof SqlError) || error.errno <= 0 || error.errno >= 45_000) return undefined;
  return new ServerFault(error.errno, error.sqlState ?? 'HY000', error.sqlMessage ?? '');
}

/** What a message tells of a foreign key: (`db`.`table`, CONSTRAINT `k` FOREIGN KEY (`a`, `b`) …). */
function violationOf(message: string): Violation | undefined {
  const foreign = /\(`[^`]*`\.`([^`]*)`, CONSTRAINT .* FOREIGN KEY \(([^)]*)\)/.exec(message);
  if (!foreign) return undefined;
  const [, table = '', columns = ''] = foreign;
  return { table, columns: columns.split(', ').map((name) => name.slice(1, -1)), values: [] };
}
