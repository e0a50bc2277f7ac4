/** The parts of a gateway that come from the package: the worker's module, the console, and the version. */
import { readFileSync } from 'node:fs';
import type { Configuration } from '../gateway/config.js';
import { isObject } from '../gateway/json-value.js';
import type { Observer } from '../gateway/observe.js';
import type { GatewayOptions } from '../gateway/service.js';
import type { Project } from './project.js';

/** In the bundled program, `scripts/bundle-program.mjs` replaces it by the bundled worker. */
const WORKER = new URL('../workers/main.js', import.meta.url);
const CONSOLE = new URL('../console/', import.meta.url);
const PACKAGE = new URL('../../package.json', import.meta.url);

export function gatewayOptions(
  { schema }: Project,
  configuration: Configuration,
  observer: Observer,
): GatewayOptions {
  const version = programVersion();
  return { configuration, schema, workerUrl: WORKER, consoleUrl: CONSOLE, observer, version };
}

export function programVersion(): string {
  const content: unknown = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  return isObject(content) ? String(content['version']) : '0.0.0';
}
