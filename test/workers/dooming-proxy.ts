/** A proxy to a database whose connections can die unnoticed, as behind a firewall that forgot them. */
import { once } from 'node:events';
import net from 'node:net';

export interface DoomingProxy {
  readonly port: number;
  /** The open connections end when the next bytes are sent on them, which the database does not get. */
  doom(): void;
  /** Ends the open connections at once. */
  cut(): void;
  close(): Promise<void>;
}

/** `connect` opens a connection to the database. */
export async function startDoomingProxy(connect: () => net.Socket): Promise<DoomingProxy> {
  const clients = new Set<net.Socket>();
  const alive = new Set<net.Socket>();
  const listener = net.createServer((client) => {
    const server = connect();
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
    clients.add(client);
    alive.add(client);
    client.on('data', (bytes) => {
      if (alive.has(client)) server.write(bytes);
      else client.resetAndDestroy();
    });
    server.on('data', (bytes) => client.write(bytes));
    client.on('close', () => {
      clients.delete(client);
      alive.delete(client);
      server.destroy();
    });
    server.on('close', () => client.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const cut = (): void => {
    for (const client of clients) client.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    doom: () => alive.clear(),
    cut,
    async close() {
      cut();
      listener.close();
      await once(listener, 'close');
    },
  };
}
