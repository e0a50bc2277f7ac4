/** A server to compare with: Fastify on the pool of MariaDB's connector. */
import { openMariadbPool } from '../rivals/mariadb.js';
import { serveByFastify } from '../rivals/serve-by-fastify.js';

const CONNECTIONS = 16;

await serveByFastify((connection) => openMariadbPool(connection, CONNECTIONS));
