/**
 * Opens connections with the connector in which neither silence nor broken packets of the server do harm:
 * both reject whatever waits for an answer.
 */
import net from 'node:net';
import mariadb, { type Connection, type ConnectionConfig } from 'mariadb';
import { createBorrowingSocket, readsInto } from '../borrowed-socket.js';

type Listener = (...values: never[]) => void;

/** The TCP socket of a connection. With TLS, the connector reads from another one, which wraps it. */
export interface TcpSocket {
  socket?: net.Socket;
}

/**
 * Opens a connection, whose TCP socket it stores in `tcp`. If nothing arrives for `options.socketTimeout`, usually that
 * to connect, idle or not, the connection ends.
 */
export async function openGuarded(
  options: ConnectionConfig,
  tcp: TcpSocket = {},
): Promise<Connection> {
  const { connectTimeout = 0, host, socketPath } = options;
  const client = await mariadb.createConnection({
    ...options,
    socketTimeout: options.socketTimeout ?? connectTimeout,
    // A Unix socket leads to a server on the same machine.
    ...(socketPath === undefined &&
      host !== undefined && { stream: () => (tcp.socket = openSocket(host, options)) }),
  });
  // Without a listener, the connector throws the error where nothing catches it.
  client.on('error', () => undefined);
  return client;
}

/** Ends the limits and the guard of the connector's socket, which Rowgate reads from now on. */
export function releaseSocket(socket: net.Socket, tcp: TcpSocket): void {
  socket.removeAllListeners('data');
  socket.setTimeout(0);
  tcp.socket?.setTimeout(0);
  Reflect.deleteProperty(socket, 'on');
}

/** The connector's reader throws errors of any kind at broken packets, which would end the thread. */
function openSocket(host: string, { port = 3306, ssl }: ConnectionConfig): net.Socket {
  const socket = ssl ? new net.Socket() : createBorrowingSocket();
  readsInto(socket, (bytes) => socket.emit('data', Buffer.from(bytes)));
  socket.connect(port, host).setNoDelay();
  const on = (event: string, listener: Listener): net.Socket => {
    const guarded = (...values: never[]): void => {
      try {
        listener(...values);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    };
    Reflect.apply(socket.addListener, socket, [event, event === 'data' ? guarded : listener]);
    return socket;
  };
  Reflect.set(socket, 'on', on);
  return socket;
}
