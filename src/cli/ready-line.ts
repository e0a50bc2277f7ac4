/** The line that shows the address of the server when it is started on a terminal. */
import type { Configuration } from '../gateway/config.js';
import type { Gateway } from '../gateway/gateway.js';

/** `Ready: http://127.0.0.1:9291/console` */
export function readyLine(
  { host, socket, tlsCert }: Pick<Configuration, 'host' | 'socket' | 'tlsCert'>,
  { port, hasConsole }: Pick<Gateway, 'port' | 'hasConsole'>,
): string {
  if (socket !== undefined) return `Ready: ${socket}`;
  const scheme = tlsCert === undefined ? 'http' : 'https';
  return `Ready: ${scheme}://${reachable(host)}:${port}${hasConsole ? '/console' : '/'}`;
}

/**
 * A host as part of a URL. If the server listens on all addresses, this is the loopback address.
 */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
