/** Names the table of a failed write if PostgreSQL has named one of its partitions, which no entity maps. */
import pg from 'pg';
import type { FailedWrite, Lease } from '../lease.js';
import { SourceError } from '../source-error.js';
import { fieldsOf, type RowSink } from '../statement.js';

/** The table of that schema and the tables of which it is a partition, from the inside. */
const ANCESTORS = `SELECT relname
FROM pg_partition_ancestors(format('%I.%I', $1::text, $2::text)::regclass) WITH ORDINALITY AS found(relid, place)
JOIN pg_class ON oid = relid ORDER BY place`;

/** The error of a write with the written table, or else the outermost one, instead of a partition. */
export async function nameWholeTable(
  lease: Lease,
  error: unknown,
  { statements, isUndone }: FailedWrite,
): Promise<unknown> {
  if (!(error instanceof SourceError) || !(error.cause instanceof pg.DatabaseError)) return error;
  const { violation, at, cause } = error;
  // Of a single statement, the place is not reported.
  const written = statements[at?.statement ?? 0]?.table;
  const isOther = written !== undefined && violation?.table !== written;
  if (!isOther || violation?.table === undefined || cause.schema === undefined) return error;
  try {
    // The database has given up the transaction, and runs nothing else in it.
    if (!isUndone) await lease.rollBack();
    const tables = await ancestorsOf(lease, cause.schema, violation.table);
    const table = tables.includes(written) ? written : tables.at(-1);
    return table === undefined ? error : error.with({ violation: { ...violation, table } });
  } catch {
    // The violation says more than the failure of this search.
    return error;
  }
}

async function ancestorsOf(lease: Lease, schema: string, table: string): Promise<string[]> {
  const names: string[] = [];
  const sink: RowSink = {
    keepsRows: false,
    row: (bytes, start) => {
      const [name] = fieldsOf(bytes, start);
      if (typeof name === 'string') names.push(name);
    },
  };
  await lease.stream({ text: ANCESTORS, parameters: [schema, table] }, 0, sink);
  return names;
}
