/** Writes observations as JSON lines. The one place that knows of pino. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { assertNever } from '../engine/index.js';
import type { Observation, Observer } from './observe.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** A logger on standard output, or on the given stream. Requests are logged from `debug` on. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Observer {
  const options = { level, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  return {
    observe: (observation) => write(logger, observation),
    observesRequests: logger.isLevelEnabled('debug'),
  };
}

function write(logger: Logger, observation: Observation): void {
  switch (observation.kind) {
    case 'listening': {
      const { kind: event, ...rest } = observation;
      logger.info({ event, ...rest }, 'listening');
      return;
    }
    case 'server-fallback':
      logger.warn(
        { event: observation.kind, reason: observation.reason },
        'uWebSockets.js does not load here: serving through node:http, which is slower',
      );
      return;
    case 'request':
      logger.debug({ event: 'request', ...observation.request }, 'request');
      return;
    case 'request-fault': {
      const { kind: event, ...rest } = observation;
      logger.error({ event, ...rest }, 'request failed by a fault of ours');
      return;
    }
    case 'answer-broken': {
      const { kind: event, ...rest } = observation;
      logger.warn({ event, ...rest }, 'an answer that had begun was cut');
      return;
    }
    case 'import-ignored': {
      const { kind: event, ...rest } = observation;
      logger.warn({ event, ...rest }, 'an import had members that the schema does not know');
      return;
    }
    case 'worker-lost':
    case 'worker-error': {
      const { kind: event, cause, ...rest } = observation;
      logger.error({ event, err: cause, ...rest }, 'a worker failed');
      return;
    }
    case 'database-lost': {
      const { kind: event, ...rest } = observation;
      logger.error({ event, ...rest }, 'the embedded database ended: it is started again');
      return;
    }
    case 'database-restarted': {
      const { kind: event, ...rest } = observation;
      logger.warn({ event, ...rest }, 'the embedded database runs again');
      return;
    }
    case 'database-given-up': {
      const { kind: event, ...rest } = observation;
      logger.fatal(
        { event, ...rest },
        'the embedded database does not start again: restart Rowgate',
      );
      return;
    }
    case 'listener-idle': {
      const { kind: event, ...rest } = observation;
      logger.warn({ event, ...rest }, `a listener does nothing here: Rowgate has no ${rest.call}`);
      return;
    }
    case 'draining':
      logger.info({ event: 'draining', inFlight: observation.inFlight }, 'draining');
      return;
    case 'reload-failed':
      logger.error(
        { event: observation.kind, err: observation.cause },
        'the schema did not load, the old one stays in force',
      );
      return;
    case 'prepared':
      logger.info({ event: observation.kind, step: observation.step }, observation.step);
      return;
    case 'reloaded':
    case 'stopped':
      logger.info({ event: observation.kind }, observation.kind);
      return;
    default:
      assertNever(observation);
  }
}
