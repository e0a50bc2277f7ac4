/** Compares the schema with the tables of its sources. */
import {
  type Drift,
  findDrift,
  storedMapping,
  type Schema,
  schemasOf,
  type Source,
} from '../../engine/index.js';
import type { TableConnection } from '../database/table-connection.js';

/** A difference, and the source in which it was found. */
export interface SourceDrift extends Drift {
  readonly source: string;
}

/** The differences of all sources. Rejects if a source cannot be reached. */
export async function driftOfSources(
  schema: Schema,
  connect: (source: Source) => Promise<TableConnection>,
): Promise<readonly SourceDrift[]> {
  const found = await Promise.all(
    schema.sources.map(async (source) => {
      const { name, dialect } = source;
      const mapping = storedMapping(schema, source);
      const connection = await connect(source);
      try {
        const existing = await connection.readTables(schemasOf(mapping, dialect));
        const { enums } = schema.domain;
        const drift = findDrift({ mapping, enums, dialect, existing });
        return drift.map((each) => ({ source: name, ...each }));
      } finally {
        await connection.close();
      }
    }),
  );
  return found.flat();
}
