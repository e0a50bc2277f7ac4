/** A list of queries in one request, on both databases and both HTTP servers. */
import { afterAll, beforeAll } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { describeMariadbProgram } from '../support/mariadb-program.js';
import type { Program } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { listSuite } from './list-suite.js';

describeServers('a list of queries, with PostgreSQL and on %s,', (http) => {
  let server: SampleServer;
  let program: Program;
  beforeAll(async () => {
    server = await startSampleServer();
    program = await server.start(['--http-server', http]);
  });
  afterAll(async () => {
    await program.stop();
    await server.stop();
  });
  listSuite(() => program);
});

describeMariadbProgram('a list of queries', ['--workers', '2'], (served) => {
  listSuite(() => served.program);
});
