/**
 * vitest's globalSetup: starts a server of each database for the whole run. Every test file makes
 * databases of its own on them.
 */
import type { TestProject } from 'vitest/node';
import { startTestCluster } from './embedded.js';
import { startMariadbOfRun } from './mariadb.js';

/** Tests get the servers by `createThrowawayDatabase` and `createMariadbDatabase`. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Every project asks for them; the first one starts them for all.
  if ('embedded' in project.getProvidedContext()) return undefined;
  const [postgresql, mariadb] = await Promise.all([startTestCluster(), startMariadbOfRun()]);
  project.vitest.provide('embedded', postgresql.connection);
  project.vitest.provide('mariadb', mariadb.server);
  return async () => {
    await Promise.all([postgresql.stop(), mariadb.stop()]);
  };
}
