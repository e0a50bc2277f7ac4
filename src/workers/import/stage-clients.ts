/** Connections to all sources of a stage, for work that needs them together to its end. */
import type pg from 'pg';
import { type Catalog, type DialectName, EngineError } from '../../engine/index.js';
import type { Cancellation } from '../cancellation.js';
import { MysqlSource } from '../database/mysql/source.js';
import { PostgresqlSource } from '../database/postgresql/source.js';
import type { SourceRegistry } from '../database/registry.js';
import type { TransactionMode } from '../database/connection.js';
import type { Lease } from '../database/lease.js';

/** A connection, as work on a database of its kind takes it. */
export type StageClient =
  | { readonly kind: 'postgresql'; readonly client: pg.Client }
  | {
      readonly kind: 'mysql';
      readonly dialect: DialectName;
      readonly session: Lease;
    };

/** A connection by the name of its source. */
export type Clients = ReadonlyMap<string, StageClient>;

export interface StageSettings {
  readonly catalog: Catalog;
  readonly stage: string;
  readonly sources: SourceRegistry;
  readonly cancellation: Cancellation;
  /** Of databases whose transactions are told beforehand. */
  readonly mode: TransactionMode;
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
  const taking = [...new Set(names)].sort().map((name) => sources.get(name));
  const take = (index: number, clients: Clients): Promise<Result> => {
    const source = taking[index];
    if (!source) return work(clients);
    const next = (client: StageClient): Promise<Result> =>
      take(index + 1, new Map([...clients, [source.name, client]]));
    if (source instanceof PostgresqlSource) {
      return source.lend(cancellation, (client) => next({ kind: 'postgresql', client }));
    }
    if (source instanceof MysqlSource) return withSession(source, settings, next);
    throw new EngineError('unsupported', `Source '${source.name}' can neither import nor export.`);
  };
  return take(0, new Map());
}

async function withSession<Result>(
  source: MysqlSource,
  { mode, cancellation }: StageSettings,
  work: (client: StageClient) => Promise<Result>,
): Promise<Result> {
  const session = await source.lease(cancellation, { mode, isLong: true });
  try {
    return await work({ kind: 'mysql', dialect: source.dialect, session });
  } finally {
    session.release();
  }
}
