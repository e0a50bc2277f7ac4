/** A proxy to MariaDB that can cut connections and lose a prepared statement. */
import { once } from 'node:events';
import net from 'node:net';
import type { MariadbServer } from '../support/mariadb.js';

const QUERY = 0x03;
const PREPARE = 0x16;
const EXECUTE = 0x17;
const HEADER_BYTES = 4;
/** No statement has this id. */
const UNKNOWN = 0x7fffffff;

export interface FaultyProxy {
  readonly port: number;
  /** The texts that clients have sent as commands, and those that they have prepared. */
  readonly commands: readonly string[];
  readonly prepared: readonly string[];
  /** Connections that are opened from now on lead to this server. */
  leadTo(server: MariadbServer): void;
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

export async function startFaultyProxy(first: MariadbServer): Promise<FaultyProxy> {
  const sockets = new Set<net.Socket>();
  const clients = new Set<net.Socket>();
  let current = first;
  const commands: string[] = [];
  const prepared: string[] = [];
  let losesNext = false;
  let isHolding = false;
  const listener = net.createServer((client) => {
    const server = net.connect(current.port, current.host);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    clients.add(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    client.on('data', (bytes) => {
      commands.push(...textsIn(bytes, QUERY));
      prepared.push(...textsIn(bytes, PREPARE));
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
    commands,
    prepared,
    leadTo: (server) => {
      current = server;
    },
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
  const [packet] = packetsOf(bytes, EXECUTE);
  packet?.writeInt32LE(UNKNOWN, 1);
  return packet !== undefined;
}

function textsIn(bytes: Buffer, kind: number): readonly string[] {
  return packetsOf(bytes, kind).map((packet) => packet.toString('utf8', 1));
}

/** The packets that begin with the number of this command. */
function packetsOf(bytes: Buffer, kind: number): readonly Buffer[] {
  const packets: Buffer[] = [];
  let next = 0;
  for (let at = 0; at + HEADER_BYTES < bytes.length; at = next) {
    const start = at + HEADER_BYTES;
    next = start + bytes.readUIntLE(at, 3);
    if (bytes[start] === kind) packets.push(bytes.subarray(start, next));
  }
  return packets;
}

function errorPacket(errno: number, message: string): Buffer {
  const body = Buffer.from(`\xff\0\0#HY000${message}`, 'latin1');
  body.writeUInt16LE(errno, 1);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUIntLE(body.length, 0, 3);
  return Buffer.concat([header, body]);
}
