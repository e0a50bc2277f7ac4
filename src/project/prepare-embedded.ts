/** Prepares the embedded database: creates its tables and, for the sample domain, its rows. */
import type { Configuration } from '../gateway/config.js';
import { type DdlProgress, push } from '../workers/tasks/ddl.js';
import type { Project } from './project.js';

/** Does nothing for other databases. Imports the sample if its tables are empty and its scale is not 0. */
export async function prepareEmbedded(
  { schema, sample, isEmbedded }: Pick<Project, 'schema' | 'sample' | 'isEmbedded'>,
  configuration: Configuration,
  say: (line: string) => void,
): Promise<void> {
  let changes = 0;
  const sayOrCount = (line: string, progress?: DdlProgress) => {
    if (progress === undefined) say(line);
    else changes += 1;
  };
  await push({
    schema,
    concerns: isEmbedded,
    dryRun: false,
    say: sayOrCount,
  });
  if (changes > 0) say(`changes made to the tables of the embedded database: ${changes}`);
  const { sampleScale } = configuration;
  if (!sample || sampleScale === 0) return;
  // Loaded only here, because it needs most of the code of the workers.
  const { importSample } = await import('./import-sample.js');
  const count = await importSample(schema, configuration, sampleScale);
  if (count > 0) say(`${count} sample rows loaded`);
}
