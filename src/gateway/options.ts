/** Every option, once: flag, variable, default, unit, and what it is for. */
import type { ServerChoice } from './http/create-server.js';
import { LOG_LEVELS, type LogLevel } from './logger.js';
import {
  byteCount,
  type Host,
  type Option,
  oneOf,
  parseSwitch,
  parseText,
  type Range,
  wholeNumber,
} from './option.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const DAY_MS = 86_400_000;
const WORKERS_MAX = 64;

export const options = {
  host: text('host', '127.0.0.1', 'The address to listen on.', ['HOST']),
  port: whole('port', 9291, { min: 0, max: 65_535 }, 'The port; 0 takes a free one.', ['PORT']),
  schema: optionalText('schema', 'The schema file; the sample domain when absent.'),
  dataDirectory: text(
    'data-dir',
    '.rowgate/postgresql',
    'The folder of the embedded database, which serves when no connection is given.',
    [],
  ),
  sampleScale: whole(
    'sample-scale',
    1,
    { min: 0, max: 100_000 },
    'How many times the sample rows go into a new embedded database; 0: none.',
  ),
  workers: workers(),
  connections: whole(
    'connections',
    16,
    { min: 1, max: 10_000 },
    'Connections to each source, over all workers; each worker has at least one.',
  ),
  bodyBytesMax: bytes('body-max', 16 * MIB, GIB, 'The greatest body of a query.'),
  importBytesMax: bytes('import-body-max', GIB, 1024 * GIB, 'The greatest body of an import.'),
  strictImport: onOff(
    'strict-import',
    false,
    'Whether an import is refused that has members which the schema does not know; else they are ignored.',
  ),
  headersBytesMax: bytes('headers-max', 16 * KIB, MIB, 'The greatest headers of a request.'),
  expressionLengthMax: whole(
    'expression-max',
    65_536,
    { min: 1, max: 16 * MIB },
    'The length of an expression, in UTF-16 units.',
  ),
  nestingMax: whole('nesting-max', 64, { min: 1, max: 1000 }, 'How deep an expression may nest.'),
  includeDepthMax: whole(
    'include-depth-max',
    8,
    { min: 1, max: 100 },
    'How deep includes may nest.',
  ),
  planCacheEntries: whole(
    'plan-cache-entries',
    10_000,
    { min: 1, max: 10_000_000 },
    'Compiled queries that are kept.',
  ),
  planCacheBytes: bytes(
    'plan-cache-bytes',
    64 * MIB,
    64 * GIB,
    'Bytes of kept compiled queries, in the gateway and in each worker.',
  ),
  statementTimeoutMs: milliseconds(
    'statement-timeout-ms',
    30_000,
    'The time limit of a statement; 0: none.',
  ),
  queueMax: whole(
    'queue-max',
    10_000,
    { min: 1, max: 10_000_000 },
    'Requests that may be unanswered at once; more are answered 503.',
  ),
  queueWaitMs: milliseconds('queue-wait-ms', 5000, 'How long a request may wait for a connection.'),
  connectTimeoutMs: milliseconds(
    'connect-timeout-ms',
    5000,
    'How long opening a connection may take.',
  ),
  rowsMax: whole(
    'rows-max',
    0,
    { min: 0, max: Number.MAX_SAFE_INTEGER },
    'Rows of a result; more is an error. 0: no limit.',
  ),
  transactionStepsMax: whole(
    'transaction-steps-max',
    100,
    { min: 1, max: 10_000 },
    'Steps of a transaction.',
  ),
  transactionRetries: whole(
    'transaction-retries',
    3,
    { min: 0, max: 100 },
    'How often a transaction begins anew after a serialization failure or a deadlock.',
  ),
  transactionTimeoutMs: milliseconds(
    'transaction-timeout-ms',
    30_000,
    'The time limit of a transaction with all its steps and attempts; 0: none.',
  ),
  transactionAnswerBytesMax: bytes(
    'transaction-answer-max',
    16 * MIB,
    GIB,
    'The greatest answer of a transaction, or of a write with an idempotency key.',
  ),
  idempotencyMs: milliseconds(
    'idempotency-ms',
    DAY_MS,
    'How long the answers of writes with an idempotency key are kept.',
    { min: 1000, max: 365 * DAY_MS },
  ),
  preparedStatements: onOff(
    'prepared-statements',
    true,
    'Whether named prepared statements are used; off behind PgBouncer before 1.21.',
  ),
  batching: onOff(
    'batching',
    true,
    'Whether requests of one plan that wait may run as one statement, and writes share a commit.',
  ),
  drainTimeoutMs: milliseconds(
    'drain-timeout-ms',
    10_000,
    'How long a stop waits for what is in flight.',
  ),
  compression: onOff(
    'compression',
    false,
    'Whether answers are compressed (br, gzip) for clients that ask for it by Accept-Encoding.',
  ),
  streamWindowBytes: bytes(
    'stream-window-bytes',
    256 * KIB,
    GIB,
    'Bytes of one streamed answer or import that may be on their way between the threads.',
  ),
  writeStallMs: milliseconds(
    'write-stall-ms',
    60_000,
    'A reader that takes nothing of its answer for so long is cut.',
  ),
  logLevel: word<LogLevel>('log-level', 'info', LOG_LEVELS, 'The least level that is logged.'),
  httpServer: word<ServerChoice>(
    'http-server',
    'auto',
    ['auto', 'uws', 'node'],
    'Which HTTP server serves; auto: uWebSockets.js, else node:http.',
  ),
} as const;

export type OptionName = keyof typeof options;

function workers(): Option<number> {
  return {
    ...named('workers'),
    description: 'Worker threads.',
    // Two on two cores: what is not brief has the database and a thread of ours at work side by side.
    defaultOn: ({ cores }: Host) => Math.max(Math.min(cores, 2), Math.min(cores - 1, 8)),
    parse: wholeNumber({ min: 1, max: WORKERS_MAX }),
  };
}

function text(
  flag: string,
  value: string,
  description: string,
  also: readonly string[],
): Option<string> {
  return { ...named(flag, also), description, defaultOn: () => value, parse: parseText };
}

function optionalText(flag: string, description: string): Option<string | undefined> {
  return { ...named(flag), description, defaultOn: () => undefined, parse: parseText };
}

function whole(
  flag: string,
  value: number,
  range: Range,
  description: string,
  also: readonly string[] = [],
): Option<number> {
  return { ...named(flag, also), description, defaultOn: () => value, parse: wholeNumber(range) };
}

function milliseconds(
  flag: string,
  value: number,
  description: string,
  range: Range = { min: 0, max: DAY_MS },
): Option<number> {
  return { ...whole(flag, value, range, description), unit: 'ms' };
}

function bytes(flag: string, value: number, max: number, description: string): Option<number> {
  const parse = byteCount({ min: KIB, max });
  return { ...named(flag), description, unit: 'bytes', defaultOn: () => value, parse };
}

function onOff(flag: string, value: boolean, description: string): Option<boolean> {
  return { ...named(flag), description, defaultOn: () => value, parse: parseSwitch };
}

function word<Word extends string>(
  flag: string,
  value: Word,
  words: readonly Word[],
  description: string,
): Option<Word> {
  return { ...named(flag), description, defaultOn: () => value, parse: oneOf(words) };
}

/** The flag, its variable ROWGATE_…, and other variables that mean the same. */
function named(flag: string, also: readonly string[] = []) {
  const variable = `ROWGATE_${flag.toUpperCase().replaceAll('-', '_')}`;
  return { flag, variables: [variable, ...also] };
}
