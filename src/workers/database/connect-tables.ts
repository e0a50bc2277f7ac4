/** Connections that read and change the tables of a source, whatever its dialect. */
import type { Source } from '../../engine/index.js';
import { connectMysql } from './mysql/tables.js';
import { connectPostgresql } from './postgresql/tables.js';
import type { TableConnection } from './table-connection.js';

/** Opens a connection for one task; its owner closes it. */
export function connectTables(
  source: Pick<Source, 'dialect' | 'connection'>,
): Promise<TableConnection> {
  return source.dialect === 'PostgreSQL' ? connectPostgresql(source) : connectMysql(source);
}
