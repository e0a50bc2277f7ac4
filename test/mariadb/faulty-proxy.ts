/** A proxy to MariaDB that can cut connections and lose a prepared statement. */
import { once } from 'node:events';
import net from 'node:net';
import type { MariadbServer } from '../support/mariadb.js';

const EXECUTE = 0x17;
const HEADER_BYTES = 4;
/** No statement has this id. */
const UNKNOWN = 0x7fffffff;

export interface FaultyProxy {
  readonly port: number;
  /** The next statement is executed with an id that the server does not know. */
  loseStatement(): void;
  /** Answers of the server no longer arrive. */
  holdAnswers(): void;
  /** Sends an error that answers no command. */
  say(errno: number, message: string): void;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

export async function startFaultyProxy({ host, port }: MariadbServer): Promise<FaultyProxy> {
  const sockets = new Set<net.Socket>();
  const clients = new Set<net.Socket>();
  let losesNext = false;
  let isHolding = false;
  const listener = net.createServer((client) => {
    const server = net.connect(port, host);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    clients.add(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    client.on('data', (bytes) => {
      if (losesNext && loseStatement(bytes)) losesNext = false;
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (!isHolding) client.write(bytes);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    loseStatement: () => {
      losesNext = true;
    },
    holdAnswers: () => {
      isHolding = true;
    },
    say: (errno, message) => {
      for (const client of clients) client.write(errorPacket(errno, message));
    },
    cut,
    close: async () => {
      cut();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** Changes the statement id in the first packet that executes a statement. */
function loseStatement(bytes: Buffer): boolean {
  for (let at = 0; at + HEADER_BYTES < bytes.length; at += HEADER_BYTES + bytes.readUIntLE(at, 3)) {
    if (bytes[at + HEADER_BYTES] !== EXECUTE) continue;
    bytes.writeInt32LE(UNKNOWN, at + HEADER_BYTES + 1);
    return true;
  }
  return false;
}

function errorPacket(errno: number, message: string): Buffer {
  const body = Buffer.from(`\xff\0\0#HY000${message}`, 'latin1');
  body.writeUInt16LE(errno, 1);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUIntLE(body.length, 0, 3);
  return Buffer.concat([header, body]);
}
