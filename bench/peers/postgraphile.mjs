/**
 * A server to compare with: PostGraphile with its Amber preset on node:http, with lists instead of
 * Relay connections, and as many database connections as the others.
 */
import { createServer } from 'node:http';
import pg from 'pg';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const CONNECTIONS = 16;

const [database = '{}', port = '0'] = process.argv.slice(2);
const pool = new pg.Pool({ ...JSON.parse(database), max: CONNECTIONS });
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ pool, schemas: ['public'] })],
  schema: { defaultBehavior: '+list -connection' },
  grafserv: { graphiql: false, watch: false },
});
const service = instance.createServ(grafserv);
const answer = service.createHandler();
await service.ready();

const server = createServer((request, response) => {
  if (request.url === '/readyz') response.end('{"status":"ready"}');
  else answer(request, response);
});
server.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => server.close(() => void end()));

async function end() {
  await instance.release();
  await pool.end();
}
