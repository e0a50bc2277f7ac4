/** The sources of a schema as one worker holds them, by name. */
import { EngineError, type Schema } from '../../engine/index.js';
import type { SourceSettings } from './postgresql-options.js';
import { PostgresqlSource } from './postgresql-source.js';
import type { Source } from './source.js';

export interface SourceRegistry {
  readonly all: readonly Source[];
  /** The source of that name; the engine has checked that it exists. */
  get(name: string): Source;
}

/** Makes every source; a connection is opened when it is first needed. */
export function createRegistry(schema: Schema, settings: SourceSettings): SourceRegistry {
  const sources = new Map<string, Source>();
  for (const source of schema.sources) {
    if (source.dialect !== 'PostgreSQL') continue;
    sources.set(source.name, new PostgresqlSource(source, settings));
  }
  return {
    all: [...sources.values()],
    get(name) {
      const source = sources.get(name);
      if (source) return source;
      throw new EngineError('unsupported', `The dialect of source '${name}' is not served yet.`);
    },
  };
}
