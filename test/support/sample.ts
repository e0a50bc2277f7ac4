/** The sample domain for tests: its schema, with a temporary database that contains the sample rows. */
import { type SampleRow, sampleEntities } from '../../src/embedded/sample-rows.js';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import { invariant, loadSchema } from '../../src/engine/index.js';
import { importSample } from '../../src/project/import-sample.js';
import { readConfiguration } from '../../src/gateway/config.js';
import { push } from '../../src/workers/tasks/ddl.js';
import { northwindDocument } from '../engine/schema/northwind.js';
import { createCopy, type ThrowawayDatabase } from './embedded.js';

/** The schema file of the sample as plain data, with that database. */
export function sampleDocument(connection: EmbeddedConnection): unknown {
  return northwindDocument({ DATABASE_URL: connectionUrl(connection) });
}

/** A connection URL for DATABASE_URL. */
export function connectionUrl({ host, port, user, database }: EmbeddedConnection): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

/** Creates a database with the tables and rows of the sample. */
export function createSampleDatabase(): Promise<ThrowawayDatabase> {
  return createCopy('sample', fillWithSample);
}

/** Creates the tables of the sample, and loads its rows. */
export async function fillWithSample(connection: EmbeddedConnection): Promise<void> {
  const schema = loadSchema(sampleDocument(connection));
  await push({ schema, dryRun: false, say: () => undefined });
  const configuration = readConfiguration({ argv: [], environment: {}, host: { cores: 1 } });
  await importSample(schema, configuration, 1);
}

/** The sample rows of an entity, in the order of their primary key. */
export function sampleRows(entity: string): readonly SampleRow[] {
  const found = sampleEntities().find((each) => each.entity === entity);
  invariant(found, `the sample has the entity ${entity}`);
  return [...found.rows()];
}
