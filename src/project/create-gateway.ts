/// <reference types="node" preserve="true" />
/**
 * The package `rowgate`: a gateway inside another program, without a process or port of its own. Its types include those
 * of Node.js, which compilers from TypeScript 6 on load only if they are named.
 */
import type { Environment } from '../engine/index.js';
import { readConfiguration, type Settings } from '../gateway/config.js';
import { embedGateway, type EmbeddedGateway } from '../gateway/embed-gateway.js';
import type { Observe } from '../gateway/observe.js';
import { gatewayOptions } from './gateway-options.js';
import { prepareEmbedded } from './prepare-embedded.js';
import { openProject } from './project.js';
import { readHost } from './read-host.js';

export { QueryError } from '../gateway/execute-query.js';
export type { EmbeddedGateway };

/** The database, and the settings that docs/configuration.md lists. */
export interface GatewaySettings extends Settings {
  /** The address of an existing database. Without `schema`, its tables are served. */
  readonly url?: string;
  /** With `url` and without `schema`: the database's schemas whose tables are served. */
  readonly schemas?: readonly string[];
  /** The variables that the schema file and the options may use; none by default. */
  readonly environment?: Environment;
  /** Receives what `rowgate serve` logs, and every request over HTTP; nothing is logged by default. */
  readonly observe?: Observe;
}

/**
 * Loads the schema and starts the workers. Rejects if the schema or an option is invalid. The caller owns
 * the gateway and must `close` it.
 */
export async function createGateway(options: GatewaySettings = {}): Promise<EmbeddedGateway> {
  const { url, schemas = [], environment = {}, observe = () => undefined, ...settings } = options;
  const configuration = readConfiguration({ settings, argv: [], environment, host: readHost() });
  const database = url === undefined ? undefined : { url, schemas };
  const project = await openProject({ configuration, environment, database }, { observe });
  try {
    await prepareEmbedded(project, configuration, (step) => observe({ kind: 'prepared', step }));
    const observer = { observe, observesRequests: options.observe !== undefined };
    const gateway = await embedGateway(gatewayOptions(project, configuration, observer));
    const close = async () => {
      try {
        await gateway.close();
      } finally {
        await project.close();
      }
    };
    return { ...gateway, close };
  } catch (cause) {
    await project.close();
    throw cause;
  }
}
