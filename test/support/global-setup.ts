/**
 * The globalSetup of vitest: builds the program, makes a folder for all temporary files, starts a server
 * of each database for the whole run, on which every test file creates its databases, and finds out
 * whether uWebSockets.js loads. A test that runs other tests passes its servers on, as JSON in
 * `ROWGATE_TEST_SERVERS`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ProvidedContext } from 'vitest';
import type { TestProject, Vitest } from 'vitest/node';
import { makeTemporaryDirectory, startTestCluster } from './embedded.js';
import { findUwsFault } from './http-servers.js';
import { startMariadbOfRun } from './mariadb.js';

const build = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));

/**
 * Tests get the servers from `createThrowawayDatabase`, `createMariadbDatabase` and `describeServers`.
 */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Every project runs this setup; the first one starts the servers for all.
  if ('embedded' in vitest.getProvidedContext()) return undefined;
  const given = process.env['ROWGATE_TEST_SERVERS'];
  if (given !== undefined) {
    provide(vitest, JSON.parse(given));
    return undefined;
  }
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
  const folder = makeTemporaryDirectory('rowgate-tests-');
  // Like the folder of the system: servers run as other users, too.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  const [postgresql, mariadb, uwsFault] = await Promise.all([
    startTestCluster(),
    startMariadbOfRun(),
    findUwsFault(),
  ]);
  provide(vitest, { embedded: postgresql.connection, mariadb: mariadb.server, uwsFault });
  return async () => {
    await Promise.all([postgresql.stop(), mariadb.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
}

function provide(vitest: Vitest, { embedded, mariadb, uwsFault }: ProvidedContext): void {
  vitest.provide('embedded', embedded);
  vitest.provide('mariadb', mariadb);
  vitest.provide('uwsFault', uwsFault);
}
