/** Every option, once, in the order of the groups of `--help`: its flag, variable, default, unit and purpose. */
import { defaultCompileLimits } from '../engine/index.js';
import type { ServerChoice } from './http/create-server.js';
import { observeOptions } from './observe-options.js';
import {
  anyText,
  batchingMode,
  byteCount,
  decimalNumber,
  fileMode,
  type Host,
  hostName,
  httpUrl,
  milliseconds,
  offByDefault,
  oneOf,
  onOrOff,
  option,
  optionalText,
  originList,
  proxyList,
  socketPath,
  wholeNumber,
} from './option.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const DAY_MS = 86_400_000;

export const options = {
  schema: optionalText('schema', 'The schema file; without it, the sample domain is served.'),
  dataDirectory: option(
    'data-dir',
    '.rowgate/postgresql',
    anyText,
    'The folder of the embedded database, which is used when the schema has no connection.',
  ),
  sampleScale: option(
    'sample-scale',
    1,
    wholeNumber(0, 100_000),
    'How many times a new embedded database gets the sample rows; 0: none.',
  ),
  connections: option(
    'connections',
    16,
    wholeNumber(1, 10_000),
    'Connections to each source, over all workers; each worker has at least one.',
  ),
  statementTimeoutMs: option(
    'statement-timeout-ms',
    30_000,
    milliseconds(0, DAY_MS),
    'How long a statement may run without sending a row; 0: any time.',
  ),
  connectTimeoutMs: option(
    'connect-timeout-ms',
    5000,
    milliseconds(0, DAY_MS),
    'How long opening a connection may take; 0: any time.',
  ),
  preparedStatements: option(
    'prepared-statements',
    true,
    onOrOff,
    'Whether named prepared statements are used; turn off for PgBouncer before 1.21.',
  ),
  host: option('host', '127.0.0.1', hostName, 'The address to listen on.', ['HOST']),
  port: option('port', 9291, wholeNumber(0, 65_535), 'The port; 0 takes a free one.', ['PORT']),
  adminPort: option<number | undefined>(
    'admin-port',
    undefined,
    wholeNumber(0, 65_535),
    'A port of its own for /livez, /readyz and /metrics, which the main port then does not serve; 0 takes a free one.',
  ),
  socket: option<string | undefined>(
    'socket',
    undefined,
    socketPath,
    'The path of a UNIX socket to listen on, instead of a port.',
  ),
  socketMode: option('socket-mode', '660', fileMode, 'The permissions of the UNIX socket.'),
  tlsCert: optionalText(
    'tls-cert',
    'The file of the certificate and its chain in PEM, for TLS connections. SIGHUP reads it again.',
  ),
  tlsKey: optionalText('tls-key', 'The file of the key for --tls-cert, in PEM.'),
  httpServer: option<ServerChoice>(
    'http-server',
    'auto',
    oneOf(['auto', 'uws', 'node']),
    'The HTTP server; auto: uWebSockets.js if it loads, otherwise node:http.',
  ),
  keysFile: optionalText(
    'keys-file',
    'The file of API keys; requests then need one. It is read again when it changes.',
  ),
  jwtKeyFile: optionalText(
    'jwt-key-file',
    'The file of the key that verifies tokens (JWT): a public key in PEM, a JWKS, or a secret.',
  ),
  jwtJwksUrl: option<string | undefined>(
    'jwt-jwks-url',
    undefined,
    httpUrl,
    'The address of the JWKS with the public keys that verify tokens (JWT).',
  ),
  jwtIssuer: optionalText('jwt-issuer', 'The issuer (iss) of accepted tokens; without it, any.'),
  jwtAudience: optionalText(
    'jwt-audience',
    'The audience (aud) of accepted tokens; without it, any.',
  ),
  jwtClaim: option(
    'jwt-claim',
    'rowgate',
    anyText,
    'The claim of a token that contains its permissions.',
  ),
  jwtClockSkewMs: option(
    'jwt-clock-skew-ms',
    30_000,
    milliseconds(0, 3_600_000),
    'How much the clock of the issuer of tokens may differ.',
  ),
  queriesFile: optionalText(
    'queries-file',
    'The file of the queries that are allowed; others are refused. SIGHUP reads it again.',
  ),
  insecure: offByDefault(
    'insecure',
    'Whether to serve other machines without keys or tokens, and without a warning.',
  ),
  bodyBytesMax: option('body-max', 16 * MIB, byteCount(KIB, GIB), 'The largest body of a query.'),
  importBytesMax: option(
    'import-body-max',
    GIB,
    byteCount(KIB, 1024 * GIB),
    'The largest body of an import.',
  ),
  strictImport: offByDefault(
    'strict-import',
    'Whether unknown members make an import fail; otherwise they are ignored and counted.',
  ),
  strictData: offByDefault(
    'strict-data',
    'Whether unknown members of a body, and members of the data that the query does not use, are errors; otherwise they are ignored.',
  ),
  headersBytesMax: option(
    'headers-max',
    16 * KIB,
    byteCount(KIB, MIB),
    'The largest headers of a request.',
  ),
  expressionLengthMax: option(
    'expression-max',
    defaultCompileLimits.expressionLengthMax,
    wholeNumber(1, 16 * MIB),
    'The longest expression, in UTF-16 units.',
  ),
  nestingMax: option(
    'nesting-max',
    defaultCompileLimits.nestingMax,
    wholeNumber(1, 1000),
    'How deep an expression may nest.',
  ),
  includeDepthMax: option(
    'include-depth-max',
    defaultCompileLimits.includeDepthMax,
    wholeNumber(1, 100),
    'How deep includes may nest.',
  ),
  rowsMax: option(
    'rows-max',
    0,
    wholeNumber(0, Number.MAX_SAFE_INTEGER),
    'The most rows of a result; more are an error. 0: no limit.',
  ),
  executeQueriesMax: option(
    'execute-queries-max',
    1000,
    wholeNumber(1, 100_000),
    'The most queries in one request to /execute.',
  ),
  compression: offByDefault(
    'compression',
    'Whether answers are compressed (br, gzip) if the client accepts it (Accept-Encoding).',
  ),
  longReads: option(
    'long-reads',
    ({ cores }) => Math.round((10 * cores) / 3) / 10,
    decimalNumber(0.1, 10_000),
    'How many reads of 10 ms or more run at the same time on each source, over all workers, while shorter ones are answered; with less than one per worker, each worker runs such a read only part of the time.',
  ),
  queueMax: option(
    'queue-max',
    10_000,
    wholeNumber(1, 10_000_000),
    'The most requests in flight or waiting; more are answered with 503.',
  ),
  queueWaitMs: option(
    'queue-wait-ms',
    5000,
    milliseconds(0, DAY_MS),
    'How long a request may wait for a connection, and a large body for memory.',
  ),
  expectedWaitMs: option(
    'expected-wait-ms',
    300,
    milliseconds(0, DAY_MS),
    'A read is refused at once if it is expected to wait longer than this, and longer than three times the duration of its query. 0: never.',
  ),
  batching: option(
    'batching',
    'measured',
    batchingMode,
    'Whether waiting requests of one plan may run as one statement, and waiting writes share a commit: measured (or on) if that is cheaper, off, or always (for tests).',
  ),
  workers: option('workers', workersOn, wholeNumber(1, 64), 'Worker threads.'),
  workerHeapBytesMax: option(
    'worker-heap-max',
    workerHeapOn,
    byteCount(32 * MIB, 1024 * GIB),
    'The heap of a worker; one that needs more is replaced.',
  ),
  workerStallMs: option(
    'worker-stall-ms',
    30_000,
    milliseconds(1000, DAY_MS),
    'A worker that takes no message for this long is replaced.',
  ),
  bodiesBytesMax: option(
    'bodies-max',
    32 * MIB,
    byteCount(KIB, 1024 * GIB),
    'The memory for bodies of more than 64 KiB, all together; a body without room waits for at most --queue-wait-ms.',
  ),
  planCacheEntries: option(
    'plan-cache-entries',
    10_000,
    wholeNumber(1, 10_000_000),
    'The most compiled queries in the plan cache.',
  ),
  sharePlansFrom: option(
    'share-plans-from',
    8,
    wholeNumber(0, 10_000_000),
    'The number of the first query that shares a plan with those that differ only by literals; 0: none does.',
  ),
  planCacheBytes: option(
    'plan-cache-bytes',
    64 * MIB,
    byteCount(KIB, 64 * GIB),
    'The memory of the plan cache: a quarter for the gateway, the rest for the workers.',
  ),
  streamWindowBytes: option(
    'stream-window-bytes',
    256 * KIB,
    byteCount(KIB, GIB),
    'The most bytes of one streamed answer or import between the threads.',
  ),
  streamsBytesMax: option(
    'streams-max',
    64 * MIB,
    byteCount(0, 1024 * GIB),
    'The memory for unread parts of streamed answers, a quarter of it for one answer; beyond that, answers hold their connections.',
  ),
  transactionStepsMax: option(
    'transaction-steps-max',
    100,
    wholeNumber(1, 10_000),
    'The most steps of a transaction.',
  ),
  transactionRetries: option(
    'transaction-retries',
    3,
    wholeNumber(0, 100),
    'How often a transaction, a write, or what listeners of a read write is retried after a serialization failure or a deadlock.',
  ),
  transactionTimeoutMs: option(
    'transaction-timeout-ms',
    30_000,
    milliseconds(0, DAY_MS),
    'The time limit of a transaction with all its steps and retries; 0: none.',
  ),
  transactionAnswerBytesMax: option(
    'transaction-answer-max',
    16 * MIB,
    byteCount(KIB, GIB),
    'The largest answer of a transaction, of a write with an idempotency key, or of a page after a cursor.',
  ),
  idempotencyMs: option(
    'idempotency-ms',
    DAY_MS,
    milliseconds(1000, 365 * DAY_MS),
    'How long the answers of writes with an idempotency key are stored.',
  ),
  rateLimit: option(
    'rate-limit',
    0,
    wholeNumber(0, 1_000_000),
    'Requests per second from one client address; more are answered with 429. 0: no limit.',
  ),
  rateBurst: option(
    'rate-burst',
    100,
    wholeNumber(1, 1_000_000),
    'With --rate-limit: requests that an address may send at once.',
  ),
  addressRequestsMax: option(
    'address-requests-max',
    0,
    wholeNumber(0, 1_000_000),
    'The most unanswered requests of one client address while other addresses have some, too; more are answered with 429. 0: no limit.',
  ),
  trustedProxies: option<readonly string[]>(
    'trusted-proxies',
    [],
    proxyList,
    'The proxies whose X-Forwarded-For is trusted: addresses and networks, separated by commas; unix: those on the UNIX socket.',
  ),
  corsOrigins: option<readonly string[]>(
    'cors-origins',
    [],
    originList,
    'The origins whose pages may read answers in a browser (CORS), separated by commas; *: all.',
  ),
  writeStallMs: option(
    'write-stall-ms',
    60_000,
    milliseconds(100, DAY_MS),
    'A client that reads nothing of its answer for this long is disconnected.',
  ),
  drainDelayMs: option(
    'drain-delay-ms',
    0,
    milliseconds(0, DAY_MS),
    'How long a shutdown still accepts requests while /readyz already answers 503.',
  ),
  drainTimeoutMs: option(
    'drain-timeout-ms',
    10_000,
    milliseconds(0, DAY_MS),
    'How long a shutdown waits for requests in flight.',
  ),
  ...observeOptions,
  console: option<boolean | undefined>(
    'console',
    undefined,
    onOrOff,
    'Whether the console is served at /console; by default, only if `rowgate serve` listens on a loopback address.',
  ),
} as const;

/** The memory of a container for each worker. */
const WORKER_MEMORY = 512 * MIB;

/** Two workers on two cores: requests that are not short keep the database and a thread busy in parallel. */
function workersOn({ cores, memoryBytes = Number.POSITIVE_INFINITY }: Host): number {
  const most = Math.max(1, Math.floor(memoryBytes / WORKER_MEMORY));
  return Math.min(Math.max(Math.min(cores, 2), Math.min(cores - 1, 8)), most);
}

/**
 * A container without memory is killed with all its requests, so that the workers together get at most half of it. The
 * rest is for the main thread, for what is outside of heaps (streams, bodies), and for the young generations.
 */
function workerHeapOn(host: Host): number {
  const { memoryBytes = Number.POSITIVE_INFINITY, workers = workersOn(host) } = host;
  const share = Math.floor(memoryBytes / 2 / workers / MIB) * MIB;
  // A smaller one would not hold what a body may become.
  const least = Math.min(256 * MIB, memoryBytes / 2);
  return Math.min(2 * GIB, Math.max(least, share));
}

export type OptionName = keyof typeof options;

/** Options of Rowgate's own server and log: a program that embeds Rowgate has its own. */
export const serverOptions = [
  ...(['host', 'port', 'adminPort', 'socket', 'socketMode', 'tlsCert', 'tlsKey'] as const),
  ...(['httpServer', 'headersBytesMax', 'insecure'] as const),
  ...(['logLevel', 'logFormat', 'accessLog'] as const),
] as const;

/** The options of a program that embeds Rowgate. */
export type SettingName = Exclude<OptionName, (typeof serverOptions)[number]>;

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(options, name) && !serverOptions.some((each) => each === name);
}
