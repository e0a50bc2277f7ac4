/** Writes observations to the log. The only place that imports pino and pino-pretty. */
import { type DestinationStream, type Logger, pino } from 'pino';
import {
  concernsOperators,
  type Observation,
  type Observer,
  type RequestObservation,
} from './observe.js';
import type { LogFormat, LogLevel } from './observe-options.js';
import { visibleText } from './visible-text.js';

export interface LogOptions {
  readonly level: LogLevel;
  /** Whether every request is logged at level `info`. */
  readonly accessLog?: boolean;
  /** Receives each line as JSON. */
  readonly destination: DestinationStream;
}

export interface LogWriter extends Observer {
  /** Switches to level `debug`, or back to the level of the options. */
  switchLevel(): void;
}

/** Creates a logger that passes its lines to the destination. */
export function createLogger({ level, accessLog = false, destination }: LogOptions): LogWriter {
  const logger = pino({ level, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  const failures = limitFailures((count) => {
    logger.warn({ event: 'requests-failed', count }, MANY);
  });
  return {
    observe: (observation) => {
      if (observation.kind !== 'request') return write(logger, observation);
      const { request } = observation;
      const levelOf = levelOfRequest(request, accessLog);
      if (!logger.isLevelEnabled(levelOf)) return;
      if (request.failure && !failures.admits(request.failure.code)) return;
      writeRequest(logger, levelOf, request);
    },
    get observesRequests() {
      return logger.isLevelEnabled(accessLog ? 'info' : 'debug');
    },
    onlyCounts: failures.onlyCounts,
    switchLevel: () => {
      const next = logger.level === 'debug' ? level : 'debug';
      // Written at whichever of the two levels is enabled.
      const isOn = logger.isLevelEnabled('info');
      if (isOn) write(logger, { kind: 'log-level', to: next });
      logger.level = next;
      if (!isOn) write(logger, { kind: 'log-level', to: next });
    },
  };
}

/**
 * Standard output as the destination of the log. With `auto`, its lines are readable on a terminal, if
 * pino-pretty is installed, and JSON elsewhere. Readable lines may have colours. Rejects for `pretty` without pino-pretty.
 */
export async function standardOutput(
  format: LogFormat,
  { isTerminal, isColored }: { readonly isTerminal: boolean; readonly isColored: boolean },
): Promise<DestinationStream> {
  const output = tolerantOutput();
  if (format === 'json' || (format === 'auto' && !isTerminal)) return output;
  try {
    const { prettyFactory } = await import('pino-pretty');
    const readable = prettyFactory({ colorize: isColored, ignore: 'pid,hostname,event,step' });
    return { write: (line) => void output.write(readable(JSON.parse(line, visibleMember))) };
  } catch (cause) {
    if (format === 'auto') return output;
    throw new Error('--log-format pretty needs the package pino-pretty: npm install pino-pretty', {
      cause,
    });
  }
}

/**
 * Requests choose texts of the log, such as expressions, which must not change the terminal. A stack keeps its
 * lines, which pino-pretty indents.
 */
function visibleMember(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return name === 'stack' ? value.split('\n').map(visibleText).join('\n') : visibleText(value);
}

const STANDARD_OUTPUT = 1;
/** The most characters that wait to be written. Lines beyond that are lost. */
const WAITING_MAX = 16 << 20;

/**
 * Standard output that may fail, for example because its disk is full or its terminal was closed. The program
 * goes on; what could not be written is tried again with the next line.
 */
function tolerantOutput() {
  const output = pino.destination({ dest: STANDARD_OUTPUT, sync: false, maxLength: WAITING_MAX });
  const flushSync = output.flushSync.bind(output);
  // At the end of the program it would try again for ever.
  output.on('error', () => (output.flushSync = () => undefined));
  output.on('write', () => (output.flushSync = flushSync));
  return output;
}

/** In an overload, more lines than this in a second would take time from the requests. */
const FAILURES_MAX = 100;
const SECOND_MS = 1000;
const MANY = `more than ${FAILURES_MAX} requests failed with one code in a second; count: those that were not logged`;

/** Limits the lines about failed requests, by code. `report` receives the number of lines left out in a second. */
function limitFailures(report: (count: number) => void) {
  let began = 0;
  let leftOut = 0;
  const counts = new Map<string, number>();
  return {
    /** Whether the next line with this code would be left out. */
    onlyCounts: (code: string): boolean =>
      (counts.get(code) ?? 0) >= FAILURES_MAX && performance.now() - began < SECOND_MS,
    /** Counts a line; returns whether it is written. */
    admits: (code: string): boolean => {
      const now = performance.now();
      if (now - began >= SECOND_MS) {
        if (leftOut > 0) report(leftOut);
        began = now;
        leftOut = 0;
        counts.clear();
      }
      const count = (counts.get(code) ?? 0) + 1;
      counts.set(code, count);
      if (count > FAILURES_MAX) leftOut += 1;
      return count <= FAILURES_MAX;
    },
  };
}

type EntryLevel = Exclude<LogLevel, 'silent'>;
type Entry = readonly [level: EntryLevel, message: string];
/** All observations except requests, which have their own levels. */
type LoggedObservation = Exclude<Observation, { readonly kind: 'request' }>;

/** The level and message of each observation; some messages have details, see `messageOf`. */
const entries = {
  listening: ['info', 'listening'],
  'admin-listening': ['info', 'listening for monitoring'],
  'open-to-all': [
    'warn',
    'OTHER MACHINES CAN READ AND WRITE EVERYTHING: no --keys-file or token is needed (--insecure on: no warning)',
  ],
  'keys-read': ['info', 'the keys were read again'],
  'keys-unreadable': ['error', 'the keys did not load; the old ones stay in force'],
  'jwks-unavailable': ['error', 'the keys that verify tokens could not be fetched'],
  'variable-misspelt': ['warn', 'an environment variable is probably misspelt: no option has'],
  connections: ['info', 'the most connections to each source'],
  'connections-scarce': ['warn', 'the server of a source allows fewer connections (--connections)'],
  'service-ignored': ['warn', 'the schema file has an option without effect: service.'],
  'server-fallback': [
    'warn',
    'uWebSockets.js does not load: serving through node:http, which is slower. It needs Node.js 20, or glibc 2.38 (Debian 13, Ubuntu 24.04) with later versions. If it is not installed: npm install uWebSockets.js@npm:uwebsockets@3.0.6',
  ],
  'slow-query': ['warn', 'slow query'],
  'source-state': ['warn', 'the state of a source has changed'],
  'log-level': ['info', 'the log level has changed'],
  'import-ignored': ['warn', 'an import had members that the schema does not know'],
  'worker-lost': ['error', 'a worker failed'],
  overdue: ['error', 'requests are unanswered past their limits'],
  'database-awaited': ['info', 'waiting for the lock of another container on the data folder'],
  'database-lost': ['error', 'the embedded database ended and is being restarted'],
  'database-restarted': ['warn', 'the embedded database is running again'],
  'database-given-up': ['fatal', 'the embedded database cannot be restarted: restart Rowgate'],
  'listener-idle': ['warn', 'a listener has no effect: Rowgate has no'],
  drift: ['warn', 'the schema and the database differ'],
  'drift-unknown': ['warn', 'the schema was not compared with the database'],
  unmapped: ['warn', 'a part of the database is not mapped'],
  limited: ['warn', 'a part of the database is mapped with a limit'],
  draining: ['info', 'draining'],
  'reload-failed': [
    'error',
    'the schema, the certificate or the keys did not load; the old ones stay in force',
  ],
  prepared: ['info', ''],
  reloaded: ['info', 'reloaded'],
  stopped: ['info', 'stopped'],
} satisfies Record<LoggedObservation['kind'], Entry>;

function write(logger: Logger, observation: LoggedObservation): void {
  const { kind: event, ...members } = membersOf(observation);
  const [level, message] = entries[event];
  logger[level]({ event, ...members }, messageOf(observation, message));
}

/** The fields that are logged: pino serializes an error under the name `err`. */
function membersOf(observation: LoggedObservation) {
  if (!('cause' in observation) || observation.kind === 'source-state') return observation;
  const { kind, cause: err, ...rest } = observation;
  return { kind, err, ...rest };
}

function messageOf(observation: LoggedObservation, message: string): string {
  if (observation.kind === 'prepared') return observation.step;
  if (observation.kind === 'variable-misspelt') return `${message} ${observation.variable}`;
  if (observation.kind === 'service-ignored') return message + observation.member;
  return observation.kind === 'listener-idle' ? `${message} ${observation.call}` : message;
}

/** Failures that concern operators are warnings. */
function levelOfRequest({ status, failure }: RequestObservation, accessLog: boolean): EntryLevel {
  if (failure && concernsOperators(status, failure)) return 'warn';
  return accessLog ? 'info' : 'debug';
}

function writeRequest(logger: Logger, level: EntryLevel, request: RequestObservation): void {
  const { failure, ...members } = request;
  if (!failure) return logger[level]({ event: 'request', ...members }, 'request');
  const message = failure.isCut ? 'request failed, and its answer was cut' : 'request failed';
  logger[level]({ event: 'request', ...members, ...failure }, message);
}
