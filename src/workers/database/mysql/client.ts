/**
 * Uses the connector only to connect and authenticate. After that, Rowgate speaks the protocol
 * itself. Only this file uses the connector's internals.
 */
import { Socket } from 'node:net';
import type { Connection as Client, ConnectionConfig } from 'mariadb';
import { openGuarded, releaseSocket, type TcpSocket } from './guarded-connection.js';
import { limitStatements } from './options.js';
import { identitySql } from './server-identity.js';

/** A connection that is ready for commands. */
export interface MysqlClient {
  readonly socket: Socket;
  /** The server's number of the connection. */
  readonly threadId: number;
  /** Which server it is; see `server-identity`. */
  readonly server: string;
  /** The size of the largest packet that the server accepts. */
  readonly packetBytesMax: number;
  /** Calls the listener with the reason when the connection is lost. */
  onLost(listener: (error: unknown) => void): void;
  /** Closes the connection properly. */
  end(): Promise<void>;
}

/** From MariaDB 10.2 and MySQL 5.7.5 on: rows end in the way that this folder expects. */
const DEPRECATE_EOF = 1n << 24n;

/** Opens a connection whose socket nothing reads. Rejects with the connector's error. */
export async function openClient(
  options: ConnectionConfig,
  statementTimeoutMs: number,
): Promise<MysqlClient> {
  const tcp: TcpSocket = {};
  const client = await openGuarded(options, tcp);
  try {
    await limitStatements(client, statementTimeoutMs);
    const { info, threadId } = client;
    if (info === null || threadId === null)
      throw new Error('the mariadb package did not report the version of the server');
    if ((BigInt(info.serverCapabilities) & DEPRECATE_EOF) === 0n) {
      throw new Error('the server is older than MariaDB 10.2 and MySQL 5.7.5');
    }
    const rows: readonly (readonly unknown[])[] = await client.query(
      `SELECT @@max_allowed_packet, ${identitySql(client)}`,
    );
    const [packetBytesMax, server] = rows[0] ?? [];
    const socket = await socketOf(client);
    releaseSocket(socket, tcp);
    return {
      socket,
      threadId,
      server: String(server),
      packetBytesMax: Number(packetBytesMax),
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

/** The only way to the connector's socket; with TLS it is not the first one. */
async function socketOf(client: Client): Promise<Socket> {
  const prepared = await client.prepare('SELECT 1');
  prepared.close();
  const inner: unknown = Reflect.get(prepared, 'conn');
  const socket: unknown =
    typeof inner === 'object' && inner !== null ? Reflect.get(inner, 'socket') : undefined;
  if (!(socket instanceof Socket))
    throw new Error('the mariadb package has changed: its socket was not found');
  return socket;
}
