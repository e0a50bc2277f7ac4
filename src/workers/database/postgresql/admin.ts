/** Connections to PostgreSQL for one task of the command line: tables to change, rows to load. */
import pg from 'pg';
import { invariant, type Mapping, type Source } from '../../../engine/index.js';
import { hasRows, type LoadRow, loadRows } from './load.js';
import { clientOptions } from './options.js';
import { postgresqlTables } from './tables.js';
import type { TableConnection } from '../table-connection.js';

/** Rows to load, in an order in which the entities can be inserted. */
export interface EntityRows {
  readonly entity: string;
  readonly rows: () => Iterable<LoadRow>;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Opens a connection that reads and changes tables; its owner closes it. */
export async function connectTables(source: Source): Promise<TableConnection> {
  return postgresqlTables(await connect(source));
}

/**
 * Loads rows in one transaction, provided that the table of the first entity is empty. Answers with
 * the number of rows; 0 when there were rows already.
 */
export async function loadIntoEmpty(
  source: Source,
  mapping: Mapping,
  entities: readonly EntityRows[],
): Promise<number> {
  const client = await connect(source);
  try {
    await client.query('BEGIN');
    const count = await loadAll(client, mapping, entities);
    await client.query('COMMIT');
    return count;
  } finally {
    await client.end();
  }
}

async function loadAll(
  client: pg.Client,
  mapping: Mapping,
  entities: readonly EntityRows[],
): Promise<number> {
  let count = 0;
  for (const [index, { entity, rows }] of entities.entries()) {
    const mapped = mapping.entities.find(({ name }) => name === entity);
    invariant(mapped, `mapping ${mapping.name} has the entity ${entity}`);
    if (index === 0 && (await hasRows(client, mapped))) break;
    count += await loadRows(client, mapped, rows());
  }
  return count;
}

async function connect(source: Source): Promise<pg.Client> {
  const options = clientOptions(source.connection, {
    connectionsPerSource: 1,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    connectionWaitMs: CONNECT_TIMEOUT_MS,
    preparedStatements: false,
    statementTimeoutMs: 0,
  });
  const client = new pg.Client({ ...options, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  return client;
}
