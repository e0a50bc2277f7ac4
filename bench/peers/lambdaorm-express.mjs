/**
 * A server to compare with: lambdaorm behind Express, with the `/execute` endpoint of its own
 * service, but without its logs, metrics and limits. lambdaorm is initialised once, and caches what
 * it compiles.
 */
import express from 'express';
import { orm } from 'lambdaorm';

const [schema = '{}', port = '0'] = process.argv.slice(2);
await orm.init(JSON.parse(schema));
const app = express();
app.use(express.json());

app.get('/readyz', (_request, response) => {
  response.json({ status: 'ready' });
});

app.post('/execute', async ({ body: { query, data, options } }, response) => {
  response.json(await orm.execute(query, data, options));
});

const server = app.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => server.close(() => void orm.end()));
