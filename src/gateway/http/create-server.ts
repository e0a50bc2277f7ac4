/**
 * Chooses the HTTP server: uWebSockets.js if its binary loads, otherwise node:http, with the
 * reason.
 *
 * This is the only place outside the command line that writes an environment variable.
 * uWebSockets.js reads its header limit only from UWS_HTTP_MAX_HEADERS_SIZE, when its binary is
 * loaded.
 */
import { messageOf } from '../error-message.js';
import type { HttpServerOptions } from './exchange.js';
import { createNodeServer } from './node-server.js';
import { createUwsServer, type UwsLibrary } from './uws-server.js';

export type ServerChoice = 'auto' | 'uws' | 'node';

/** Resolves to the server, and the reason if uWebSockets.js did not load. Rejects if the choice is `uws` then. */
export async function createHttpServer(choice: ServerChoice, options: HttpServerOptions) {
  if (choice === 'node') return { server: createNodeServer(options) };
  let uws: UwsLibrary;
  try {
    uws = await loadUws(options.headersBytesMax);
  } catch (cause) {
    if (choice === 'uws') throw new Error('uWebSockets.js does not load here', { cause });
    return { server: createNodeServer(options), fallbackReason: messageOf(cause) };
  }
  return { server: createUwsServer(uws, options) };
}

async function loadUws(headersBytesMax: number): Promise<UwsLibrary> {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(headersBytesMax);
  const { default: uws } = await import('uWebSockets.js');
  // Otherwise each answer would name the server. The library's types do not include this function.
  const configure: unknown = Reflect.get(uws, '_cfg');
  if (typeof configure === 'function') Reflect.apply(configure, uws, ['silent']);
  return uws;
}
