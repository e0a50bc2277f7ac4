/** A proxy that serves a gateway below a path. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PrefixProxy {
  /** The address of the gateway's root, without a trailing slash. */
  readonly base: string;
  close(): Promise<void>;
}

/** Serves `target` below `prefix`; everything else is answered with 404. */
export async function startPrefixProxy(target: string, prefix: string): Promise<PrefixProxy> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (path.startsWith(`${prefix}/`)) pass(incoming, outgoing, target + path.slice(prefix.length));
    else outgoing.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}${prefix}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, address: string): void {
  const { method, headers } = incoming;
  const passed = request(address, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  passed.on('error', () => outgoing.destroy());
  incoming.pipe(passed);
}
