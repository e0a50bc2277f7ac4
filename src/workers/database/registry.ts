/** The sources of a schema in one worker, by name. */
import { invariant, type Schema } from '../../engine/index.js';
import { Source } from './source.js';
import type { DriverOf } from './drivers.js';
import type { SourceSettings } from './source-settings.js';

export interface SourceRegistry {
  readonly all: readonly Source[];
  /** The source of that name; the engine has checked that it exists. */
  get(name: string): Source;
}

/** Creates all sources. Their connections are opened on demand. */
export function createRegistry(
  schema: Schema,
  settings: SourceSettings,
  driverOf: DriverOf,
): SourceRegistry {
  const all = schema.sources.map(
    (source) => new Source(source, driverOf(source, settings), settings),
  );
  const byName = new Map(all.map((source) => [source.name, source]));
  return {
    all,
    get(name) {
      const source = byName.get(name);
      invariant(source, `the schema has the source ${name}`);
      return source;
    },
  };
}
