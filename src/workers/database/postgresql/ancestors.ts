/** Partitions on PostgreSQL, which errors name instead of the table that an entity maps. */
import type { Violation } from '../source-error.js';
import type { Statement } from '../statement.js';

const ANCESTORS = `SELECT relname
FROM pg_partition_ancestors(format('%I.%I', $1::text, $2::text)::regclass) WITH ORDINALITY AS found(relid, place)
JOIN pg_class ON oid = relid ORDER BY place`;

/** Returns the names of a partition and the tables of which it is a part, from the inside; none for other tables. */
export function ancestorsOf({ schema, table }: Pick<Violation, 'schema' | 'table'>): Statement {
  return { text: ANCESTORS, parameters: [schema ?? null, table ?? null] };
}
