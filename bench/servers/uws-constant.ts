/**
 * The ceiling: uWebSockets.js reads the same requests and answers each of them with the same
 * product.
 */
import uWS from 'uWebSockets.js';

const [port = '0'] = process.argv.slice(2);
const product = {
  ...{ id: 4711, name: 'Product 4711', supplierId: 12, categoryId: 8, quantity: '8 × 400 g' },
  ...{ price: 43.07, inStock: 31, onOrder: 0, reorderLevel: 5, discontinued: false },
};
const answer = Buffer.from(JSON.stringify([product]));
const pong = Buffer.from(JSON.stringify({ message: 'pong', time: new Date().toISOString() }));

const listening = uWS
  .App()
  .get('/readyz', (response) => void response.end('{}'))
  .get('/ping', (response) => send(response, pong))
  .post('/execute', (response) => {
    response.onAborted(() => undefined);
    response.onData((_chunk, isLast) => {
      if (isLast) response.cork(() => send(response, answer));
    });
  })
  .listen('127.0.0.1', Number(port), (socket) => {
    if (socket === false) process.exitCode = 1;
  });

process.once('SIGTERM', () => {
  listening.close();
  process.exit(0);
});

function send(response: uWS.HttpResponse, body: Buffer): void {
  response.writeHeader('content-type', 'application/json; charset=utf-8');
  response.end(body);
}
