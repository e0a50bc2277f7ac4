/** A client gets the answer to a body over the limit, however it sends the body. */
import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectRaw } from './raw-client.js';
import { describeServers } from '../support/http-servers.js';
import { type StartedGateway, startOnFakeWorker } from './start.js';

const MIB = 1 << 20;
const TRIES = 6;
/** The larger one exceeds what the buffers of a connection hold. */
const bodies = [Buffer.alloc(MIB + 1, 97), Buffer.alloc(12 * MIB, 97)];

type Send = (port: number, path: string, body: Buffer) => Promise<string>;

/** Each resolves to the status and the body of the answer. */
const clients: Readonly<Record<string, Send>> = {
  fetch: (port, path, body) => fetched(port, path, { body }),
  'fetch with a stream': (port, path, body) => {
    const init = { body: new Blob([new Uint8Array(body)]).stream(), duplex: 'half' };
    return fetched(port, path, init);
  },
  'fetch that closes': (port, path, body) =>
    fetched(port, path, { body, headers: { connection: 'close' } }),
  'node:http': (port, path, body) =>
    new Promise((resolve, reject) => {
      const sent = request({ port, path, method: 'POST', agent: false }, (response) => {
        textOf(response).then((text) => resolve(`${response.statusCode} ${text}`), reject);
      });
      sent.on('error', reject);
      sent.end(body);
    }),
  'one that reads only once it has written': async (port, path, body) => {
    const client = await connectRaw(port);
    client.socket.pause();
    client.send(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`);
    await new Promise<void>((resolve, reject) => {
      client.socket.write(body, (error) => (error ? reject(error) : resolve()));
    });
    client.socket.resume();
    const text = await client.until((all) => all.endsWith('}'));
    client.end();
    return `${text.slice('HTTP/1.1 '.length, 'HTTP/1.1 413'.length)} ${text.slice(text.indexOf('{'))}`;
  },
};

async function fetched(port: number, path: string, init: object): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', ...init });
  return `${response.status} ${await response.text()}`;
}

describeServers('a body over the limit, sent to %s', (server) => {
  let started: StartedGateway;
  beforeAll(async () => {
    started = await startOnFakeWorker(server, ['--body-max', '1MiB', '--import-body-max', '1MiB']);
  });
  afterAll(() => started.gateway.close());

  it.each(Object.keys(clients))('by %s is answered with 413', async (client) => {
    for (const path of ['/execute', '/stages/default/import']) {
      for (const body of bodies) {
        for (let at = 0; at < TRIES; at += 1) {
          const answer = await clients[client]?.(started.gateway.port, path, body);
          expect(answer).toMatch(/^413 \{.*"code":"body-too-large"/);
        }
      }
    }
  });
});
