/**
 * A hand-written server for the queries of the mixes: Fastify and JSON.stringify, which is faster
 * here than serializers generated from schemas.
 */
import Fastify from 'fastify';
import type { DatabaseConnection } from '../database.js';
import { QUERIES } from '../mixes/queries.js';
import { answerQuery, type HandWritten, type Row } from './answer-query.js';

interface Body {
  readonly query: string;
  /** JSON text. */
  readonly data: string;
}

/** Serves the database on the port from the command line until SIGTERM. */
export async function serveByFastify(
  open: (connection: DatabaseConnection) => HandWritten,
): Promise<void> {
  const [connection = '{}', port = '0'] = process.argv.slice(2);
  const database = open(JSON.parse(connection));
  const queries = new Map(QUERIES.map((query) => [query.expression, query]));
  const app = Fastify();
  app.get('/readyz', () => ({ status: 'ready' }));
  app.post<{ Body: Body }>('/execute', async ({ body }, reply) => {
    const query = queries.get(body.query);
    if (query === undefined) return reply.code(400).send({ detail: 'Unknown expression.' });
    const data: Row = JSON.parse(body.data);
    void reply.type('application/json; charset=utf-8');
    return JSON.stringify(await answerQuery(database, query, data));
  });
  await app.listen({ host: '127.0.0.1', port: Number(port) });
  process.once('SIGTERM', () => void app.close().then(() => database.end()));
}
