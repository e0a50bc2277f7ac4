/**
 * Chooses the HTTP server: uWebSockets.js if its binary loads, otherwise node:http, with the
 * reason.
 *
 * This is the only place outside the command line that writes an environment variable.
 * uWebSockets.js reads its header limit only from UWS_HTTP_MAX_HEADERS_SIZE, when its binary is
 * loaded.
 */
import type { HttpServer, HttpServerOptions } from './exchange.js';
import { createNodeServer } from './node-server.js';
import { createUwsServer, type UwsLibrary } from './uws-server.js';

export type ServerChoice = 'auto' | 'uws' | 'node';

/** The server, and if uWebSockets.js failed to load, the reason. */
export interface ChosenServer {
  readonly server: HttpServer;
  readonly fallbackReason: string | undefined;
}

/** Rejects if the choice is `uws` and it does not load. */
export async function createHttpServer(
  choice: ServerChoice,
  options: HttpServerOptions,
): Promise<ChosenServer> {
  if (choice === 'node') return { server: createNodeServer(options), fallbackReason: undefined };
  const uws = await loadUws(options.headersBytesMax).catch(asError);
  if (!(uws instanceof Error))
    return { server: createUwsServer(uws, options), fallbackReason: undefined };
  if (choice === 'uws') throw new Error('uWebSockets.js does not load here', { cause: uws });
  return { server: createNodeServer(options), fallbackReason: uws.message };
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}

async function loadUws(headersBytesMax: number): Promise<UwsLibrary> {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(headersBytesMax);
  const { default: uws } = await import('uWebSockets.js');
  // Otherwise each answer would name the server. The library's types do not include this function.
  const configure: unknown = Reflect.get(uws, '_cfg');
  if (typeof configure === 'function') Reflect.apply(configure, uws, ['silent']);
  return uws;
}
