/** Makes the embedded database ready: its tables, and for the sample domain its rows. */
import { sampleEntities } from '../embedded/sample-rows.js';
import { invariant } from '../engine/index.js';
import { connectTables, loadIntoEmpty } from '../workers/database/postgresql/admin.js';
import { push } from '../workers/tasks/ddl.js';
import type { Workplace } from './database.js';

/**
 * Creates what is missing in the embedded database, and nowhere else; loads sample rows (`scale` 0:
 * none) where there is no row yet.
 */
export async function prepareEmbedded(
  { schema, sample, isEmbedded }: Pick<Workplace, 'schema' | 'sample' | 'isEmbedded'>,
  scale: number,
  say: (line: string) => void,
): Promise<void> {
  await push({ schema, connect: connectTables, concerns: isEmbedded, dryRun: false, say });
  if (!sample || scale === 0) return;
  const [source] = schema.sources;
  const mapping = schema.mappings.find(({ name }) => name === source?.mapping);
  invariant(source && mapping, 'the sample schema has a source with a mapping');
  const count = await loadIntoEmpty(source, mapping, sampleEntities(scale));
  if (count > 0) say(`${count} sample rows loaded`);
}
