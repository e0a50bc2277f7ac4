/** The parts of a gateway that come from the package: the worker's module, and the version. */
import { readFileSync } from 'node:fs';
import type { Configuration } from '../gateway/config.js';
import type { Observer } from '../gateway/observe.js';
import type { GatewayOptions } from '../gateway/service.js';
import type { Project } from './project.js';

const WORKER = new URL('../workers/main.js', import.meta.url);
const PACKAGE = new URL('../../package.json', import.meta.url);

export function gatewayOptions(
  { schema }: Project,
  configuration: Configuration,
  observer: Observer,
): GatewayOptions {
  return { configuration, schema, workerUrl: WORKER, observer, version: programVersion() };
}

/** The version of the package. */
export function programVersion(): string {
  const content: unknown = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  const isPackage = typeof content === 'object' && content !== null && 'version' in content;
  return isPackage ? String(content.version) : '0.0.0';
}
