/** A list of queries in one request, on both databases and both HTTP servers. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeServers } from '../support/http-servers.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { fillMariadbWithSample, mariadbSampleDocument } from '../support/mariadb-sample.js';
import { type Program, startProgram } from '../support/program.js';
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

describeMariadb('a list of queries', () => {
  const folder = makeTemporaryDirectory();
  let database: MariadbDatabase;
  let program: Program;
  beforeAll(async () => {
    database = await createMariadbDatabase();
    await fillMariadbWithSample(database);
    const schema = join(folder, 'schema.json');
    writeFileSync(schema, JSON.stringify(mariadbSampleDocument(database)));
    program = await startProgram(['--schema', schema, '--workers', '2']);
  });
  afterAll(async () => {
    await program.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  });
  listSuite(() => program);
});
