/** A server to compare with: Fastify on pg's pool. */
import { openPostgresql } from '../rivals/postgresql.js';
import { serveByFastify } from '../rivals/serve-by-fastify.js';

const CONNECTIONS = 16;

await serveByFastify((connection) => openPostgresql(connection, CONNECTIONS));
