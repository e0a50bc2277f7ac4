/**
 * Chooses the HTTP server: uWebSockets.js where its binary loads, else node:http, and says why.
 *
 * The one place outside the command line that writes an environment variable: uWebSockets.js takes
 * the limit of the headers from UWS_HTTP_MAX_HEADERS_SIZE alone, when its binary is loaded.
 */
import type { HttpServer, HttpServerOptions } from './exchange.js';
import { createNodeServer } from './node-server.js';
import { createUwsServer, type UwsLibrary } from './uws-server.js';

export type ServerChoice = 'auto' | 'uws' | 'node';

/** The server, and why it is not uWebSockets.js where that was tried. */
export interface ChosenServer {
  readonly server: HttpServer;
  readonly fallbackReason: string | undefined;
}

/** Rejects when `uws` is demanded and does not load. */
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
  // Else each answer names the server. Its types leave this out.
  const configure: unknown = Reflect.get(uws, '_cfg');
  if (typeof configure === 'function') Reflect.apply(configure, uws, ['silent']);
  return uws;
}
