/**
 * The connector as a means to connect: it opens the socket, and authenticates. From then on we speak
 * the protocol by ourselves. This is the only file that knows what the connector keeps to itself.
 */
import { Socket } from 'node:net';
import mariadb, { type Connection as Client, type ConnectionConfig } from 'mariadb';
import { limitStatements } from './options.js';

/** A connection that is ready for commands. */
export interface MysqlClient {
  readonly socket: Socket;
  /** By which the server knows the connection. */
  readonly threadId: number;
  /** The bytes of the largest packet that the server takes. */
  readonly packetBytesMax: number;
  /** Calls back when the connection is lost, with the reason. */
  onLost(listener: (error: unknown) => void): void;
  /** Ends the connection in good order. */
  end(): Promise<void>;
}

/** Servers that have it (MariaDB 10.2, MySQL 5.7.5) end rows as the rest of this folder expects. */
const DEPRECATE_EOF = 1n << 24n;

/** Opens a connection on which nothing reads the socket; rejects with what the connector says. */
export async function openClient(
  options: ConnectionConfig,
  statementTimeoutMs: number,
): Promise<MysqlClient> {
  const client = await mariadb.createConnection(options);
  try {
    await limitStatements(client, statementTimeoutMs);
    const { info, threadId } = client;
    if (info === null || threadId === null) throw new Error('mariadb tells nothing of the server');
    if ((BigInt(info.serverCapabilities) & DEPRECATE_EOF) === 0n) {
      throw new Error('the server is older than MariaDB 10.2 and MySQL 5.7.5');
    }
    const packetBytesMax = await packetBytesMaxOf(client);
    const socket = await socketOf(client);
    socket.removeAllListeners('data');
    return {
      socket,
      threadId,
      packetBytesMax,
      onLost: (listener) => {
        client.on('error', listener);
        client.on('end', () => listener(new Error('The connection ended.')));
      },
      end: () => client.end(),
    };
  } catch (error) {
    client.destroy();
    throw error;
  }
}

async function packetBytesMaxOf(client: Client): Promise<number> {
  const rows: readonly (readonly unknown[])[] = await client.query('SELECT @@max_allowed_packet');
  return Number(rows[0]?.[0]);
}

/** The one way through the connector's interface to the socket, which under TLS is another than at first. */
async function socketOf(client: Client): Promise<Socket> {
  const prepared = await client.prepare('SELECT 1');
  prepared.close();
  const inner: unknown = Reflect.get(prepared, 'conn');
  const socket: unknown =
    typeof inner === 'object' && inner !== null ? Reflect.get(inner, 'socket') : undefined;
  if (!(socket instanceof Socket)) throw new Error('mariadb has changed: its socket is elsewhere');
  return socket;
}
