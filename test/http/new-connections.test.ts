/** New clients are answered while many others keep the server busy. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer } from '../../src/gateway/http/create-server.js';
import type { Exchange, HttpServer } from '../../src/gateway/http/exchange.js';
import { PacedAnswers } from '../../src/gateway/http/paced-answers.js';
import { describeServers } from '../support/http-servers.js';
import { LOOSER } from '../support/looser.js';

const BUSY = 200;
const NEW = 100;
/** The work for each request. All busy clients together keep the server busy for a fifth of a second. */
const WORK_MS = 1;
/** If each new client waited for all busy ones once, the last would wait for 20 seconds. */
const LIMIT_MS = 5000 * LOOSER;

describeServers('the HTTP server on %s', (name) => {
  let server: HttpServer;
  let port: number;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    const options = { handle: workAndAnswer, headersBytesMax: 8192, writeStallMs: 8000 };
    ({ server } = await createHttpServer(name, options));
    port = await server.listen({ kind: 'port', host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
  });

  /** Sends requests one after the other; resolves with the first answer. */
  function ask(onAnswer: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').on('error', reject);
      sockets.push(socket);
      const send = () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      socket.once('connect', send);
      socket.on('data', () => {
        resolve();
        onAnswer();
        send();
      });
    });
  }

  test('answers new clients beside many busy ones', async () => {
    let answers = 0;
    await Promise.all(Array.from({ length: BUSY }, () => ask(() => (answers += 1))));
    const before = answers;
    const begin = performance.now();
    await Promise.all(Array.from({ length: NEW }, () => ask(() => undefined)));
    expect(performance.now() - begin).toBeLessThan(LIMIT_MS);
    expect(answers - before).toBeGreaterThan(NEW);
  });
});

test('answers wait only while new clients come, in order', async () => {
  const answers = new PacedAnswers();
  const sent: number[] = [];
  const send = (...numbers: number[]) => {
    for (const number of numbers) answers.send(() => sent.push(number) > 0);
  };
  const iteration = () => new Promise((resolve) => setImmediate(resolve));
  send(0, 1, 2, 3, 4, 5);
  expect(sent).toEqual([0, 1, 2, 3, 4, 5]);
  answers.newClient();
  send(6, 7, 8, 9, 10);
  // Of clients that have disconnected: they do not count.
  for (let left = 0; left < 100; left += 1) answers.send(() => false);
  send(11, 12, 13, 14, 15);
  expect(sent.at(-1)).toBe(9);
  await iteration();
  expect(sent.at(-1)).toBe(13);
  await iteration();
  send(16, 17, 18);
  expect(sent).toEqual(Array.from({ length: 19 }, (_, number) => number));
});

function workAndAnswer(exchange: Exchange): void {
  const until = performance.now() + WORK_MS;
  while (performance.now() < until);
  exchange.respond(200, [], 'done');
}
