/** Slow imports over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../support/embedded.js';
import { loadedServers } from '../support/http-servers.js';
import { type Program, post, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

/** uWebSockets.js closes connections that are idle for ten seconds, checked every four seconds. */
const IDLE_MS = 15_000;

let server: SampleServer;
let programs: Program[];
beforeAll(async () => {
  server = await startSampleServer();
  const flags = ['--workers', '1', '--stream-window-bytes', '64KiB', '--http-server'];
  programs = await Promise.all(loadedServers().map((each) => server.start([...flags, each])));
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await server.stop();
});

test('an import is answered however long the database takes to store it', async () => {
  await withClient(server.connection, async (holder) => {
    await holder.query('BEGIN; LOCK TABLE Shippers IN SHARE MODE');
    const imports = programs.map((program, index) => {
      const rows = Array.from({ length: 10_000 }, (_, at) => ({ name: `slow ${index} ${at}` }));
      return post(program, '/stages/default/import', { entities: [{ entity: 'Shippers', rows }] });
    });
    await until('both imports wait to store', () =>
      withClient(server.connection, async (client) => {
        return (await client.query(WAITING)).rows.length === programs.length;
      }),
    );
    await sleep(IDLE_MS);
    await holder.query('ROLLBACK');
    for (const answer of await Promise.all(imports)) {
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.json()).toEqual({ imported: [{ entity: 'Shippers', rows: 10_000 }] });
    }
  });
});

const WAITING = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
