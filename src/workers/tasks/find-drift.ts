/** Compares the schema with the tables of its sources. */
import {
  type Drift,
  findDrift,
  findUnmapped,
  storedMapping,
  type Schema,
  schemasOf,
} from '../../engine/index.js';
import { withTables } from '../database/drivers.js';
import type { TableConnection } from '../database/table-connection.js';

/** A difference, and the source in which it was found. */
export interface SourceDrift extends Drift {
  readonly source: string;
}

export interface Comparison {
  /** Differences that make requests fail. */
  readonly drift: readonly SourceDrift[];
  /** Tables and columns that the schema does not use. */
  readonly unmapped: readonly SourceDrift[];
}

/** Compares all sources. Rejects if one cannot be reached, or when the signal aborts. */
export async function compareSources(schema: Schema, signal?: AbortSignal): Promise<Comparison> {
  const found = await Promise.all(
    schema.sources.map(async (source): Promise<Comparison> => {
      const { name, dialect } = source;
      const mapping = storedMapping(schema, source);
      const schemas = schemasOf(mapping, dialect);
      const read = (connection: TableConnection) => connection.readTables(schemas);
      const existing = await withTables(source, read, signal);
      const request = { mapping, enums: schema.domain.enums, dialect, existing };
      const inSource = (each: Drift): SourceDrift => ({ source: name, ...each });
      return {
        drift: findDrift(request).map(inSource),
        unmapped: findUnmapped(request).map(inSource),
      };
    }),
  );
  return {
    drift: found.flatMap(({ drift }) => drift),
    unmapped: found.flatMap(({ unmapped }) => unmapped),
  };
}
