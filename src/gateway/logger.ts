/** Writes observations as JSON lines. The only place that imports pino. */
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Observation, Observer } from './observe.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** A logger to standard output, or to the given stream. Requests are logged at level `debug`. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Observer {
  const options = { level, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  const isRepeated = createRepetition();
  return {
    observe: (observation) => {
      if (observation.kind !== 'source-fault' || !isRepeated(observation.reason))
        write(logger, observation);
    },
    observesRequests: logger.isLevelEnabled('debug'),
  };
}

/** A fault that makes thousands of requests fail is logged only once in this time. */
const REPEATED_MS = 10_000;

function createRepetition(): (reason: string) => boolean {
  let last = { reason: '', at: -Infinity };
  return (text) => {
    const at = performance.now();
    // Numbers of connections differ each time.
    const reason = text.replaceAll(/\d+/g, '');
    if (reason === last.reason && at < last.at + REPEATED_MS) return true;
    last = { reason, at };
    return false;
  };
}

type Entry = readonly [level: Exclude<LogLevel, 'silent'>, message: string];

/** The level and message of each observation; some messages have details, see `messageOf`. */
const entries = {
  listening: ['info', 'listening'],
  'open-to-all': [
    'warn',
    'OTHER MACHINES CAN READ AND WRITE EVERYTHING: no --keys-file or token is needed (--insecure on: no warning)',
  ],
  'keys-read': ['info', 'the keys were read again'],
  'keys-unreadable': ['error', 'the keys did not load, the old ones stay in force'],
  'jwks-unavailable': ['error', 'the keys that verify tokens could not be fetched'],
  'server-fallback': [
    'warn',
    'uWebSockets.js does not load here: serving through node:http, which is slower',
  ],
  request: ['debug', 'request'],
  'request-fault': ['error', 'request failed with an internal error'],
  'source-fault': ['error', 'a database refused a request or could not be reached'],
  'answer-broken': ['warn', 'a streamed answer was cut'],
  'import-ignored': ['warn', 'an import had members that the schema does not know'],
  'worker-lost': ['error', 'a worker failed'],
  'worker-error': ['error', 'a worker failed'],
  overdue: ['error', 'requests are unanswered past their limits'],
  'database-lost': ['error', 'the embedded database ended and is being restarted'],
  'database-restarted': ['warn', 'the embedded database is running again'],
  'database-given-up': ['fatal', 'the embedded database cannot be restarted: restart Rowgate'],
  'listener-idle': ['warn', 'a listener has no effect: Rowgate has no'],
  drift: ['warn', 'the schema and the database differ'],
  'drift-unknown': ['warn', 'the schema was not compared with the database'],
  unmapped: ['warn', 'a part of the database is not mapped'],
  draining: ['info', 'draining'],
  'reload-failed': [
    'error',
    'the schema, the certificate or the keys did not load; the old ones stay in force',
  ],
  prepared: ['info', ''],
  reloaded: ['info', 'reloaded'],
  stopped: ['info', 'stopped'],
} satisfies Record<Observation['kind'], Entry>;

function write(logger: Logger, observation: Observation): void {
  const { kind: event, ...members } = membersOf(observation);
  const [level, message] = entries[event];
  logger[level]({ event, ...members }, messageOf(observation, message));
}

/** The fields that are logged: pino serializes an error under the name `err`. */
function membersOf(observation: Observation) {
  if (observation.kind === 'request') return { kind: observation.kind, ...observation.request };
  if (!('cause' in observation)) return observation;
  const { kind, cause: err, ...rest } = observation;
  return { kind, err, ...rest };
}

function messageOf(observation: Observation, message: string): string {
  if (observation.kind === 'prepared') return observation.step;
  return observation.kind === 'listener-idle' ? `${message} ${observation.call}` : message;
}
