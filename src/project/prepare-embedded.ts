/** Prepares the embedded database: creates its tables and, for a new sample domain, its rows. */
import { existsSync, rmSync } from 'node:fs';
import type { Configuration } from '../gateway/config.js';
import { type DdlProgress, push } from '../workers/tasks/ddl.js';
import type { Project } from './project.js';

/** Does nothing for other databases. The sample's rows are loaded once, into a new database. */
export async function prepareEmbedded(
  { schema, sampleMark, isEmbedded }: Pick<Project, 'schema' | 'sampleMark' | 'isEmbedded'>,
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
  if (sampleMark === undefined || !existsSync(sampleMark)) return;
  const { sampleScale } = configuration;
  if (sampleScale > 0) {
    // Loaded only here, because it needs most of the code of the workers.
    const { importSample } = await import('./import-sample.js');
    const count = await importSample(schema, configuration, sampleScale);
    if (count > 0) say(`${count} sample rows loaded`);
  }
  rmSync(sampleMark, { force: true });
}
