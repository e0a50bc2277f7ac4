/** Connections to all sources of a stage, for work that needs them together to its end. */
import type pg from 'pg';
import { type Catalog, EngineError } from '../../engine/index.js';
import type { Cancellation } from '../execution/cancellation.js';
import { PostgresqlSource } from '../sources/postgresql-source.js';
import type { SourceRegistry } from '../sources/registry.js';

/** A connection by the name of its source. */
export type Clients = ReadonlyMap<string, pg.PoolClient>;

export interface StageSettings {
  readonly catalog: Catalog;
  readonly stage: string;
  readonly sources: SourceRegistry;
  readonly cancellation: Cancellation;
}

/**
 * Holds a connection of each source while `work` runs. When it rejects, none of them is used again:
 * what was rolled back is better told by a value.
 */
export async function withStageClients<Result>(
  settings: StageSettings,
  work: (clients: Clients) => Promise<Result>,
): Promise<Result> {
  const { catalog, stage, sources, cancellation } = settings;
  const names = catalog.stage(stage)?.sources.map(({ name }) => name);
  if (!names) throw new EngineError('unknown-stage', `There is no stage '${stage}'.`);
  // In the order of their names, so that no two wait for each other.
  const taking = [...new Set(names)].sort().map((name) => postgresqlSource(sources, name));
  const take = (index: number, clients: Clients): Promise<Result> => {
    const source = taking[index];
    if (!source) return work(clients);
    return source.useClient(cancellation, (client) =>
      take(index + 1, new Map([...clients, [source.name, client]])),
    );
  };
  return take(0, new Map());
}

function postgresqlSource(sources: SourceRegistry, name: string): PostgresqlSource {
  const source = sources.get(name);
  if (source instanceof PostgresqlSource) return source;
  throw new EngineError('unsupported', `Source '${name}' can neither import nor export.`);
}
