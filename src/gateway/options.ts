/** Every option, once: flag, variable, default, unit, and what it is for. */
import type { ServerChoice } from './http/create-server.js';
import { LOG_LEVELS, type LogLevel } from './logger.js';
import { anyText, byteCount, milliseconds, oneOf, onOrOff, option, wholeNumber } from './option.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const DAY_MS = 86_400_000;

export const options = {
  host: option('host', '127.0.0.1', anyText, 'The address to listen on.', ['HOST']),
  port: option('port', 9291, wholeNumber(0, 65_535), 'The port; 0 takes a free one.', ['PORT']),
  schema: option<string | undefined>(
    'schema',
    undefined,
    anyText,
    'The schema file; the sample domain when absent.',
  ),
  dataDirectory: option(
    'data-dir',
    '.rowgate/postgresql',
    anyText,
    'The folder of the embedded database, which serves when no connection is given.',
  ),
  sampleScale: option(
    'sample-scale',
    1,
    wholeNumber(0, 100_000),
    'How many times the sample rows go into a new embedded database; 0: none.',
  ),
  workers: option(
    'workers',
    // Two on two cores: what is not brief has the database and a thread of ours at work side by side.
    ({ cores }) => Math.max(Math.min(cores, 2), Math.min(cores - 1, 8)),
    wholeNumber(1, 64),
    'Worker threads.',
  ),
  connections: option(
    'connections',
    16,
    wholeNumber(1, 10_000),
    'Connections to each source, over all workers; each worker has at least one.',
  ),
  longReads: option(
    'long-reads',
    ({ cores }) => cores,
    wholeNumber(1, 10_000),
    'Reads of each source that take 10 ms or more and run at a time while shorter ones are answered, over all workers; each worker has at least one.',
  ),
  bodyBytesMax: option('body-max', 16 * MIB, byteCount(KIB, GIB), 'The greatest body of a query.'),
  bodiesBytesMax: option(
    'bodies-max',
    32 * MIB,
    byteCount(KIB, 1024 * GIB),
    'Bytes of bodies of more than 64 KiB in memory at once; one that finds no room waits for --queue-wait-ms.',
  ),
  importBytesMax: option(
    'import-body-max',
    GIB,
    byteCount(KIB, 1024 * GIB),
    'The greatest body of an import.',
  ),
  strictImport: option(
    'strict-import',
    false,
    onOrOff,
    'Whether an import is refused that has members which the schema does not know; else they are ignored.',
  ),
  headersBytesMax: option(
    'headers-max',
    16 * KIB,
    byteCount(KIB, MIB),
    'The greatest headers of a request.',
  ),
  expressionLengthMax: option(
    'expression-max',
    65_536,
    wholeNumber(1, 16 * MIB),
    'The length of an expression, in UTF-16 units.',
  ),
  nestingMax: option('nesting-max', 64, wholeNumber(1, 1000), 'How deep an expression may nest.'),
  includeDepthMax: option(
    'include-depth-max',
    8,
    wholeNumber(1, 100),
    'How deep includes may nest.',
  ),
  planCacheEntries: option(
    'plan-cache-entries',
    10_000,
    wholeNumber(1, 10_000_000),
    'Compiled queries that are kept.',
  ),
  planCacheBytes: option(
    'plan-cache-bytes',
    64 * MIB,
    byteCount(KIB, 64 * GIB),
    'Bytes of kept compiled queries, in the gateway and in each worker.',
  ),
  statementTimeoutMs: option(
    'statement-timeout-ms',
    30_000,
    milliseconds(0, DAY_MS),
    'The time limit of a statement; 0: none.',
  ),
  queueMax: option(
    'queue-max',
    10_000,
    wholeNumber(1, 10_000_000),
    'Requests that may be unanswered at once; more are answered 503.',
  ),
  queueWaitMs: option(
    'queue-wait-ms',
    5000,
    milliseconds(0, DAY_MS),
    'How long a request may wait for a connection, and a large body for room.',
  ),
  connectTimeoutMs: option(
    'connect-timeout-ms',
    5000,
    milliseconds(0, DAY_MS),
    'How long opening a connection may take.',
  ),
  rowsMax: option(
    'rows-max',
    0,
    wholeNumber(0, Number.MAX_SAFE_INTEGER),
    'Rows of a result; more is an error. 0: no limit.',
  ),
  transactionStepsMax: option(
    'transaction-steps-max',
    100,
    wholeNumber(1, 10_000),
    'Steps of a transaction.',
  ),
  transactionRetries: option(
    'transaction-retries',
    3,
    wholeNumber(0, 100),
    'How often a transaction begins anew after a serialization failure or a deadlock.',
  ),
  transactionTimeoutMs: option(
    'transaction-timeout-ms',
    30_000,
    milliseconds(0, DAY_MS),
    'The time limit of a transaction with all its steps and attempts; 0: none.',
  ),
  transactionAnswerBytesMax: option(
    'transaction-answer-max',
    16 * MIB,
    byteCount(KIB, GIB),
    'The greatest answer of a transaction, or of a write with an idempotency key.',
  ),
  idempotencyMs: option(
    'idempotency-ms',
    DAY_MS,
    milliseconds(1000, 365 * DAY_MS),
    'How long the answers of writes with an idempotency key are kept.',
  ),
  preparedStatements: option(
    'prepared-statements',
    true,
    onOrOff,
    'Whether named prepared statements are used; off behind PgBouncer before 1.21.',
  ),
  batching: option(
    'batching',
    'measured',
    oneOf(['measured', 'always', 'off']),
    'When requests of one plan that wait run as one statement: where that is measured to be cheaper, whenever it can be done (for tests), or never; then writes do not share a commit, either.',
  ),
  drainTimeoutMs: option(
    'drain-timeout-ms',
    10_000,
    milliseconds(0, DAY_MS),
    'How long a stop waits for what is in flight.',
  ),
  compression: option(
    'compression',
    false,
    onOrOff,
    'Whether answers are compressed (br, gzip) for clients that ask for it by Accept-Encoding.',
  ),
  streamWindowBytes: option(
    'stream-window-bytes',
    256 * KIB,
    byteCount(KIB, GIB),
    'Bytes of one streamed answer or import that may be on their way between the threads.',
  ),
  writeStallMs: option(
    'write-stall-ms',
    60_000,
    milliseconds(0, DAY_MS),
    'A reader that takes nothing of its answer for so long is cut.',
  ),
  logLevel: option<LogLevel>(
    'log-level',
    'info',
    oneOf(LOG_LEVELS),
    'The least level that is logged.',
  ),
  httpServer: option<ServerChoice>(
    'http-server',
    'auto',
    oneOf(['auto', 'uws', 'node']),
    'Which HTTP server serves; auto: uWebSockets.js, else node:http.',
  ),
} as const;

export type OptionName = keyof typeof options;
