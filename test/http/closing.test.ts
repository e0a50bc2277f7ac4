/** Connections that close while requests are unanswered, and a server that closes while answers are unread. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createHttpServer } from '../../src/gateway/http/create-server.js';
import type { CertificateFiles } from '../../src/gateway/http/certificate.js';
import type { Exchange, HttpServer } from '../../src/gateway/http/exchange.js';
import { describeServers, type ServerName } from '../support/http-servers.js';
import { until } from './until.js';

const LARGE_BYTES = 20 << 20;
const large = Buffer.alloc(LARGE_BYTES, 'x');
const GET = (path: string, header = '') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`;
const certificate = (kind: string) =>
  fileURLToPath(new URL(`./certificates/first.${kind}`, import.meta.url));

describeServers('the HTTP server on %s', (name) => {
  test('ends all requests of a connection that closes', async () => {
    let aborted = 0;
    const { server, port } = await listen(name, (exchange) =>
      exchange.onAbort(() => (aborted += 1)),
    );
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    // uWebSockets.js closes a connection that sends a request before the last one is answered.
    socket.write(GET('/').repeat(name === 'node' ? 3 : 1));
    await until(() => server.inFlight === (name === 'node' ? 3 : 1));
    socket.destroy();
    await until(() => server.inFlight === 0);
    expect(aborted).toBe(name === 'node' ? 3 : 1);
    await server.close();
  });

  test('sends answers that wait in the process when it stops', async () => {
    const { server, port } = await listen(name, (exchange) => exchange.respond(200, [], large));
    const idle = connect(port, '127.0.0.1');
    const idleClosed = new Promise((resolve) => idle.once('close', resolve));
    const socket = connect(port, '127.0.0.1');
    const read = bytesOf(socket.pause());
    socket.write(GET('/'));
    await until(() => server.inFlight === 1);
    await sleep(300);
    server.drain();
    if (name === 'node') await idleClosed;
    await sleep(300);
    socket.resume();
    await until(() => server.inFlight === 0);
    await server.close();
    idle.destroy();
    expect(await read).toBeGreaterThan(LARGE_BYTES);
  });

  test('answers a client that has closed its side, with TLS', async () => {
    const answer = (exchange: Exchange) => setTimeout(() => exchange.respond(200, [], 'late'), 100);
    const paths = { certFile: certificate('crt'), keyFile: certificate('key') };
    const { server, port } = await listen(name, answer, paths);
    const socket = connectSecurely({
      ...{ port, host: '127.0.0.1', rejectUnauthorized: false, allowHalfOpen: true },
    });
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => (received += text));
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    socket.write(GET('/', 'Connection: close\r\n'));
    // With uWebSockets.js, a client that closes its side with its request may be disconnected.
    if (name === 'node') socket.end();
    await new Promise((resolve) => socket.once('close', resolve).once('end', resolve));
    expect(received).toMatch(/^HTTP\/1\.1 200 [^]*late$/);
    socket.destroy();
    await server.close();
  });
});

async function listen(
  name: ServerName,
  handle: (exchange: Exchange) => unknown,
  certificate?: CertificateFiles,
): Promise<{ server: HttpServer; port: number }> {
  const options = { handle, headersBytesMax: 8192, writeStallMs: 8000, certificate };
  const { server } = await createHttpServer(name, options);
  return { server, port: await server.listen({ kind: 'port', host: '127.0.0.1', port: 0 }) };
}

function bytesOf(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0;
    socket.on('data', (piece) => (bytes += piece.length));
    socket.on('close', () => resolve(bytes));
    socket.on('error', () => undefined);
    socket.pause();
  });
}
