/** Makes the embedded database ready: its tables, and for the sample domain its rows. */
import type { Configuration } from '../gateway/config.js';
import { connectTables } from '../workers/database/drivers.js';
import { push } from '../workers/tasks/ddl.js';
import type { Project } from './project.js';
import { importSample } from './import-sample.js';

/**
 * Creates what is missing in the embedded database, and nowhere else; imports the sample rows, unless
 * their scale is 0, where there is no row yet.
 */
export async function prepareEmbedded(
  { schema, sample, isEmbedded }: Pick<Project, 'schema' | 'sample' | 'isEmbedded'>,
  configuration: Configuration,
  say: (line: string) => void,
): Promise<void> {
  await push({ schema, connect: connectTables, concerns: isEmbedded, dryRun: false, say });
  const { sampleScale } = configuration;
  if (!sample || sampleScale === 0) return;
  const count = await importSample(schema, configuration, sampleScale);
  if (count > 0) say(`${count} sample rows loaded`);
}
