/** Starts the gateway on a project: for `serve`, and for commands that ask it one thing. */
import { readFileSync } from 'node:fs';
import type { Configuration } from '../gateway/config.js';
import { type Gateway, startGateway } from '../gateway/gateway.js';
import type { Observer } from '../gateway/observe.js';
import type { Project } from './database.js';

const WORKER = new URL('../workers/main.js', import.meta.url);
const PACKAGE = new URL('../../package.json', import.meta.url);

/** Rejects when the port is taken. */
export function runGateway(
  project: Project,
  configuration: Configuration,
  observer: Observer,
): Promise<Gateway> {
  const { schema } = project;
  const version = programVersion();
  return startGateway({ configuration, schema, workerUrl: WORKER, observer, version });
}

/** The version of the package. */
export function programVersion(): string {
  const content: unknown = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  const isPackage = typeof content === 'object' && content !== null && 'version' in content;
  return isPackage ? String(content.version) : '0.0.0';
}
