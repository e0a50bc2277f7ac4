/** The gateway as a server: its HTTP servers, and the service behind them. */
import type { Schema } from '../engine/index.js';
import type { Dispatchers } from './dispatcher/dispatchers.js';
import type { Configuration } from './config.js';
import { readConsoleFiles } from './console-files.js';
import { isLocal, isLoopback } from './http/place.js';
import type { PlanCacheCounters } from './plan-cache.js';
import type { GatewayOptions } from './service.js';
import { createServing } from './serving.js';
import { placeOf, startServers } from './start-servers.js';

export interface Gateway {
  readonly port: number;
  /** Set if monitoring has its own port. */
  readonly adminPort: number | undefined;
  readonly server: 'uws' | 'node';
  readonly hasConsole: boolean;
  /** Reads the keys and the certificate again, and puts another schema in force: all of them, or rejects. */
  reload(schema: Schema): Promise<void>;
  counters(): { readonly plans: PlanCacheCounters; readonly dispatcher: Dispatchers['counters'] };
  /** Stops: answers the requests in flight, at most for the drain time. Safe to call twice. */
  close(): Promise<void>;
}

/** Starts the gateway. Rejects if a port is in use, and leaves nothing running then. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { configuration, observer } = options;
  const isServed = configuration.console ?? isLoopback(placeOf(configuration));
  const consoleFiles = isServed ? readConsoleFiles(options.consoleUrl) : undefined;
  const { current, authority, reload, close } = await createServing(options, consoleFiles);
  const answering = { configuration, current, authority };
  const servers = await startServers(observer, answering).catch(async (cause) => {
    authority?.close();
    await current().close(0);
    throw cause;
  });
  if (isOpenToAll(configuration))
    observer.observe({ kind: 'open-to-all', host: configuration.host });
  return {
    port: servers.port,
    adminPort: servers.adminPort,
    server: servers.name,
    hasConsole: consoleFiles !== undefined,
    counters: () => {
      const { plans, dispatchers } = current();
      return { plans: plans.counters, dispatcher: dispatchers.counters };
    },
    reload: (schema) => reload(schema, servers.reloadCertificate),
    close: () => close(servers),
  };
}

/** Whether other machines can do everything, and nobody has asked for that. */
export function isOpenToAll(configuration: Configuration): boolean {
  const { keysFile, jwtKeyFile, jwtJwksUrl, insecure } = configuration;
  const needsKeys = keysFile ?? jwtKeyFile ?? jwtJwksUrl;
  return needsKeys === undefined && !insecure && !isLocal(placeOf(configuration));
}
