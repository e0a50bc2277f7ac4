/** Serves a gateway from this process, with its workers: starting a process for it takes twice as long. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGateway, type GatewaySettings } from '../../src/project/create-gateway.js';
import type { Served } from './program.js';

/** Calls `use` with a gateway of one worker on a free port, which ends afterwards. */
export async function serveHere<Result>(
  settings: GatewaySettings,
  use: (served: Served) => Promise<Result>,
): Promise<Result> {
  const gateway = await createGateway({ workers: 1, ...settings });
  const server = createServer(gateway.handle);
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return await use({ base: `http://127.0.0.1:${port}` });
  } finally {
    server.close();
    server.closeAllConnections();
    await gateway.close();
  }
}
