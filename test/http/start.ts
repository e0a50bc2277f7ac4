/** Starts a gateway with the fake worker, on a free port of the loopback interface. */
import { loadSchema } from '../../src/engine/index.js';
import { readConfiguration } from '../../src/gateway/config.js';
import { type Gateway, startGateway } from '../../src/gateway/gateway.js';
import type { Observation } from '../../src/gateway/observe.js';
import type { ServerName } from '../support/http-servers.js';
import { sampleSchema } from './sample-schema.js';

export const FAKE_WORKER = new URL('./fake-worker.mjs', import.meta.url);

export interface StartedGateway {
  readonly gateway: Gateway;
  readonly base: string;
  readonly observations: Observation[];
}

/** Starts a gateway with one worker; `flags` are options of the command line, `application` a section of the schema. */
export async function startOnFakeWorker(
  server: ServerName,
  flags: readonly string[] = [],
  application?: object,
): Promise<StartedGateway> {
  const observations: Observation[] = [];
  const configuration = readConfiguration({
    argv: [
      ...['--port', '0', '--workers', '1', '--http-server', server, '--source-check-ms', '0'],
      ...flags,
    ],
    environment: {},
    host: { cores: 2 },
  });
  const gateway = await startGateway({
    configuration,
    schema: loadSchema({ ...sampleSchema, ...(application && { application }) }),
    workerUrl: FAKE_WORKER,
    version: '9.9.9',
    observer: { observe: (observation) => observations.push(observation), observesRequests: true },
  });
  return { gateway, base: `http://127.0.0.1:${gateway.port}`, observations };
}

/** Posts a value as JSON. */
export function postJson(url: string, value: unknown, init: RequestInit = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(value), ...init });
}
