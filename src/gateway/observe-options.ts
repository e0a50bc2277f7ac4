/** The options of the log, the metrics and the statistics. */
import {
  ascendingNumbers,
  milliseconds,
  offByDefault,
  oneOf,
  option,
  wholeNumber,
} from './option.js';

const DAY_MS = 86_400_000;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;

export type LogFormat = (typeof LOG_FORMATS)[number];

const SERVER_TIMINGS = ['off', 'asked', 'on'] as const;

type ServerTiming = (typeof SERVER_TIMINGS)[number];

export const observeOptions = {
  logLevel: option<LogLevel>(
    'log-level',
    'info',
    oneOf(LOG_LEVELS),
    'The lowest level that is logged. SIGUSR2 switches to debug, and back.',
  ),
  logFormat: option<LogFormat>(
    'log-format',
    'auto',
    oneOf(LOG_FORMATS),
    'How the log is written; auto: readable on a terminal if pino-pretty is installed, otherwise JSON.',
  ),
  accessLog: offByDefault(
    'access-log',
    'Whether every request is logged at level info; otherwise at level debug.',
  ),
  logParameters: offByDefault('log-parameters', 'Whether the log shows the data of slow queries.'),
  slowMs: option(
    'slow-ms',
    500,
    milliseconds(0, DAY_MS),
    'A query that takes longer is logged; 0: none is.',
  ),
  latencyBuckets: option<readonly string[]>(
    'latency-buckets',
    '0.5 1 2.5 5 10 25 50 100 250 500 1000 2500 5000 10000'.split(' '),
    ascendingNumbers,
    'The upper bounds of the buckets of the latency histograms, in milliseconds, separated by commas.',
  ),
  serverTiming: option<ServerTiming>(
    'server-timing',
    'asked',
    oneOf(SERVER_TIMINGS),
    'Which answers have a Server-Timing header: none (off), those of requests with ?timing=true (asked), or all (on).',
  ),
  sqlComments: offByDefault(
    'sql-comments',
    'Whether statements end with the traceparent of their request as a comment; such requests run alone, and their statements are not prepared.',
  ),
  statsPlans: option(
    'stats-plans',
    1000,
    wholeNumber(1, 1_000_000),
    'The most plans with statistics in /stats; those that ran last are kept.',
  ),
  sourceCheckMs: option(
    'source-check-ms',
    1000,
    milliseconds(0, DAY_MS),
    'How often the databases are checked, for the log, the metrics and /stats; 0: never.',
  ),
} as const;
