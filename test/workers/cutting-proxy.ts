/** A proxy to an embedded PostgreSQL that can cut connections and withhold answers. */
import { once } from 'node:events';
import net from 'node:net';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';

export interface CuttingProxy {
  /** The connection of a worker to the database through the proxy. */
  readonly connection: Readonly<Record<string, unknown>>;
  /** From now on, answers of the server do not arrive. */
  holdAnswers(): void;
  /** Cuts all connections, after an error of this message like one of PgBouncer, if given; later ones work again. */
  cut(lastWords?: string): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(database: EmbeddedConnection): Promise<CuttingProxy> {
  const sockets = new Set<net.Socket>();
  const clients = new Set<net.Socket>();
  let isHolding = false;
  const listener = net.createServer((client) => {
    const server = net.connect(`${database.host}/.s.PGSQL.${database.port}`);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    clients.add(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    client.on('data', (bytes) => server.write(bytes));
    server.on('data', (bytes) => {
      if (!isHolding) client.write(bytes);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const cut = (lastWords?: string): void => {
    for (const client of clients) if (lastWords !== undefined) client.end(errorMessage(lastWords));
    for (const socket of sockets)
      if (lastWords === undefined || !clients.has(socket)) socket.destroy();
    sockets.clear();
    clients.clear();
    isHolding = false;
  };
  return {
    connection: { ...database, host: '127.0.0.1', port },
    holdAnswers: () => {
      isHolding = true;
    },
    cut,
    async close() {
      cut();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** An ErrorResponse without the field V, as PgBouncer sends it. */
function errorMessage(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.from('E    ');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
