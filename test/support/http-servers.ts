/**
 * The HTTP servers that suites run with. uWebSockets.js is a binary that does not load everywhere. If
 * it does not load, its suites are skipped, and their names say why.
 */
import { describe, inject } from 'vitest';
import { createHttpServer } from '../../src/gateway/http/create-server.js';

const SERVERS = ['uws', 'node'] as const;

export type ServerName = (typeof SERVERS)[number];

declare module 'vitest' {
  interface ProvidedContext {
    /** Why uWebSockets.js does not load; empty if it does. */
    uwsFault: string;
  }
}

/** Declares a suite for each server, whose name replaces `%s`. */
export function describeServers(name: string, suite: (server: ServerName) => void): void {
  describeEach(name, suite, false);
}

/** The same, but all tests of the suites run at the same time. */
export function describeServersAtOnce(name: string, suite: (server: ServerName) => void): void {
  describeEach(name, suite, true);
}

/** The same, but the suites run at the same time, each of them one test after the other. */
export function describeServersInParallel(name: string, suite: (server: ServerName) => void): void {
  const inTurn = (server: ServerName) => {
    describe('in turn', { sequential: true }, () => {
      suite(server);
    });
  };
  describeEach(name, inTurn, true);
}

function describeEach(
  name: string,
  suite: (server: ServerName) => void,
  concurrent: boolean,
): void {
  for (const server of SERVERS) {
    const fault = faultOf(server);
    const reason = fault === '' ? '' : `: ${fault}`;
    describe.runIf(fault === '')(`${name.replace('%s', server)}${reason}`, { concurrent }, () => {
      suite(server);
    });
  }
}

/** The servers that load. */
export function loadedServers(): readonly ServerName[] {
  return SERVERS.filter((server) => faultOf(server) === '');
}

/** Why uWebSockets.js does not load in this process; empty if it does. */
export async function findUwsFault(): Promise<string> {
  const options = { handle: () => undefined, headersBytesMax: 8192, writeStallMs: 1000 };
  const { server, fallbackReason } = await createHttpServer('auto', options);
  await server.close();
  return fallbackReason === undefined ? '' : `uWebSockets.js does not load: ${fallbackReason}`;
}

function faultOf(server: ServerName): string {
  return server === 'uws' ? inject('uwsFault') : '';
}
