/**
 * PostgreSQL's CancelRequest: a separate connection to the same server that names the process to
 * interrupt (manual, 54.2.8). The server closes it when the interrupt has been sent. An interrupt
 * that arrives before its statement has no effect, so a single one may be lost.
 */
import net from 'node:net';
import tls from 'node:tls';
import { REST_MS } from '../stop-until-idle.js';
import type { DivertedClient } from './client.js';

const CANCEL_CODE = 80877102;
const TLS_CODE = 80877103;

/** Resolves when the server has closed the socket, or it failed; never rejects. */
export function sendCancel(client: DivertedClient): Promise<void> {
  const key = cancelKey(client);
  if (!key) return Promise.resolve();
  return new Promise((resolve) => {
    const socket = connect(client);
    socket.setTimeout(REST_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
    socket.once('connect', () => {
      if (client.ssl) startTls(socket, client, key);
      else socket.write(key);
    });
    socket.resume();
  });
}

function connect(client: DivertedClient): net.Socket {
  const { host, port } = client;
  return host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host);
}

/** Negotiates TLS like the original connection, and sends the request through it. */
function startTls(socket: net.Socket, client: DivertedClient, key: Buffer): void {
  socket.once('data', (answer) => {
    if (answer.toString('latin1') !== 'S') return socket.destroy();
    const servername = net.isIP(client.host) === 0 ? { servername: client.host } : {};
    const secure = tls.connect({ ...tlsOptions(client), socket, host: client.host, ...servername });
    secure.on('error', () => socket.destroy());
    secure.on('close', () => socket.destroy());
    secure.once('secureConnect', () => secure.write(key));
    return secure.resume();
  });
  const request = Buffer.alloc(8);
  request.writeInt32BE(8, 0);
  request.writeInt32BE(TLS_CODE, 4);
  socket.write(request);
}

/** The TLS options of the original connection: true, or options of `tls.connect`. pg hides the key. */
function tlsOptions(client: DivertedClient): tls.ConnectionOptions {
  const ssl: unknown = client.ssl;
  if (typeof ssl !== 'object' || ssl === null) return {};
  const { key }: tls.ConnectionOptions = ssl;
  return { ...ssl, ...(key !== undefined && { key }) };
}

/** The message, with the key that the server gave the connection at its start. */
function cancelKey(client: DivertedClient): Buffer | undefined {
  const secretKey: unknown = Reflect.get(client, 'secretKey');
  if (typeof secretKey !== 'number') return undefined;
  const message = Buffer.alloc(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(CANCEL_CODE, 4);
  message.writeInt32BE(client.serverProcess, 8);
  message.writeInt32BE(secretKey, 12);
  return message;
}
