/**
 * A statement that takes all the time of a processor, again and again, and whose clients leave: others hardly notice it,
 * although MariaDB cannot interrupt it.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectRaw, rawPost } from '../http/raw-client.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { loadedServers } from '../support/http-servers.js';
import { LOOSER } from '../support/looser.js';
import { createMariadbDatabase, describeOwnMariadb } from '../support/mariadb.js';
import { executeRequest, percentile99, sendInTurn } from '../support/open-load.js';
import { type Program, startProgram } from '../support/program.js';
import { schemaDocument } from '../workers/schema-document.js';
import { startStreamsFixture, type StreamsFixture } from './streams-fixture.js';

/** How often the statement is sent, and how long its client stays. */
const POISONS = 3;
const STAYS_MS = 300;
/** MariaDB needs minutes for these, and does not check meanwhile whether it is to stop. */
const LETTERS = 600_000;
const CLIENTS = 8;
const READ_MS = 2000;
/** Within this time and a multiple of the usual one, 99 of 100 reads of others are answered meanwhile. */
const LONGER_MS = 50 * LOOSER;
const USUAL = 4;

/** Sends the statement, and reads single rows meanwhile. */
async function poison(program: Program, poisonous: object, pointRead: (n: number) => string) {
  const load = { port: program.port, request: pointRead };
  await sendInTurn(load, CLIENTS, READ_MS / 2);
  const usual = await sendInTurn(load, CLIENTS, READ_MS / 2);
  const leave = async (): Promise<void> => {
    const headers = ['content-type: application/json'];
    const client = await connectRaw(program.port);
    client.send(rawPost('/execute', JSON.stringify(poisonous), headers));
    await sleep(STAYS_MS);
    expect(client.received()).toBe('');
    client.end();
  };
  const reading = sendInTurn(load, CLIENTS, READ_MS);
  for (let n = 0; n < POISONS; n += 1) await leave();
  const beside = await reading;
  const [usualMs, besideMs] = [percentile99(usual), percentile99(beside)];
  console.log(`p99 ${besideMs.toFixed(1)} ms instead of ${usualMs.toFixed(1)} ms`);
  expect([...beside.others.keys()]).toEqual([]);
  expect(besideMs).toBeLessThan(LONGER_MS + USUAL * usualMs);
}

describe('on PostgreSQL', () => {
  let fixture: StreamsFixture;
  beforeAll(async () => {
    fixture = await startStreamsFixture();
  });
  afterAll(() => fixture.stop());

  test.each(loadedServers())(
    'a poisonous query hardly delays others, served by %s',
    {
      retry: 2,
    },
    async (httpServer) => {
      const program = await fixture.start(['--http-server', httpServer]);
      const query =
        'Many.filter(p=>p.id>n).map(p=>({t: sum(length(replace(concat(p.name,x),"a","bb")))}))';
      await poison(program, { query, data: { n: 0, x: 'a'.repeat(10_000) } }, (n) =>
        executeRequest('Many.filter(p=>p.id==id).map(p=>p.id)', { id: 1 + (n % 9000) }),
      );
      expect(await program.stop()).toBe(0);
    },
  );
});

// The server is killed at the end, with what it still runs.
describeOwnMariadb('a poisonous query', (startServer) => {
  const folder = makeTemporaryDirectory();
  const schema = join(folder, 'schema.json');
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer([]);
    const { connection, withClient } = await createMariadbDatabase(server.server);
    await withClient((client) =>
      client.query('CREATE TABLE points (id int PRIMARY KEY); INSERT INTO points VALUES (1)'),
    );
    writeFileSync(schema, JSON.stringify(schemaDocument(connection, 'MariaDB')));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  test.each(loadedServers())(
    'hardly delays others, served by %s',
    {
      retry: 2,
    },
    async (httpServer) => {
      const flags = ['--http-server', httpServer, '--workers', '2', '--schema', schema];
      const program = await startProgram(flags);
      const query = 'Points.map(p=>({n:length(replace(x,"a","bb"))}))';
      await poison(program, { query, data: { x: 'a'.repeat(LETTERS) } }, () =>
        executeRequest('Points.filter(p=>p.id==id).map(p=>p.id)', { id: 1 }),
      );
      expect(await program.stop()).toBe(0);
    },
  );
});
