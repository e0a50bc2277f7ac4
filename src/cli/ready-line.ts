/** The line that tells who starts the server at a terminal where it can be opened. */
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

/** A host as it stands in an address; a server on all addresses can be reached on this one. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
