/**
 * Reads tables and views from PostgreSQL's catalog, with one query for each catalog table. The queries return values in
 * the form of the engine, as JSON.
 */
import type pg from 'pg';
import { addToGroup } from '../../add-to-group.js';
import type { ExistingColumn, ExistingTable } from '../../../engine/index.js';

/** The tables that unqualified names find, and those in the schemas of $1. */
const RELATIONS = `
SELECT c.oid, c.relname, n.nspname, c.relkind, c.relispartition, pg_table_is_visible(c.oid) AS is_visible
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND (pg_table_is_visible(c.oid) OR n.nspname = ANY($1::text[]))`;

/** The bits of `tgtype` for triggers that run before each row of an INSERT. */
const BEFORE_INSERT = 7;

const TABLES = `
SELECT r.oid::text AS id, json_strip_nulls(json_build_object(
  'schema', r.nspname, 'name', r.relname, 'isVisible', r.is_visible,
  'kind', CASE WHEN x.objid IS NOT NULL THEN 'extension' WHEN r.relkind = 'v' THEN 'view'
    WHEN r.relkind = 'm' THEN 'materialized view' WHEN r.relispartition THEN 'partition'
    WHEN r.relkind = 'f' THEN 'foreign table' ELSE 'table' END,
  'heirs', NULLIF(ARRAY(SELECT h.relname::text FROM pg_inherits i JOIN pg_class h ON h.oid = i.inhrelid
    WHERE i.inhparent = r.oid AND NOT h.relispartition ORDER BY h.relname), '{}'),
  'indexNames', ARRAY(SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = r.oid ORDER BY c.relname),
  'hasInsertTrigger', EXISTS(SELECT FROM pg_trigger g
    WHERE g.tgrelid = r.oid AND NOT g.tgisinternal AND g.tgenabled <> 'D' AND g.tgtype & ${BEFORE_INSERT} = ${BEFORE_INSERT}),
  'comment', obj_description(r.oid, 'pg_class'))) AS value
FROM (${RELATIONS}) r
LEFT JOIN pg_depend x ON x.classid = 'pg_class'::regclass AND x.objid = r.oid AND x.deptype = 'e'
ORDER BY r.nspname, r.relname`;

/**
 * A domain is mapped to its base type; a nested domain to that of the innermost one. The default of a serial column takes
 * the next number of a sequence, which must be known: a domain, or a call with a text, does not refer to one.
 */
const COLUMNS = `
WITH RECURSIVE domains AS (
  SELECT oid AS domain, typbasetype AS base, typtypmod AS modifier, typnotnull AS is_required, typdefault AS value
  FROM pg_type WHERE typtype = 'd'
  UNION ALL
  SELECT d.domain, t.typbasetype, CASE d.modifier WHEN -1 THEN t.typtypmod ELSE d.modifier END,
    d.is_required OR t.typnotnull, COALESCE(d.value, t.typdefault)
  FROM domains d JOIN pg_type t ON t.oid = d.base WHERE t.typtype = 'd'
)
SELECT r.oid::text AS id, json_strip_nulls(json_build_object(
  'name', a.attname, 'type', t.typname, 'declared', format_type(a.atttypid, a.atttypmod),
  'length', CASE WHEN t.typname IN ('varchar', 'bpchar') AND m.modifier > 4 THEN m.modifier - 4 END,
  'digits', CASE WHEN t.typname IN ('numeric', '_numeric') AND m.modifier > 4 THEN json_build_object(
    'precision', (m.modifier - 4) >> 16, 'scale', ((m.modifier - 4) & 2047 # 1024) - 1024) END,
  'isNullable', NOT (a.attnotnull OR COALESCE(d.is_required, false)),
  'default', CASE o.origin WHEN 'given' THEN COALESCE(pg_get_expr(v.adbin, v.adrelid), d.value) END,
  'origin', o.origin,
  'enum', CASE WHEN e.labels IS NOT NULL THEN json_build_object('name', t.typname, 'values', e.labels,
    'isDomain', CASE WHEN d.domain IS NOT NULL THEN true END) END,
  'comment', col_description(r.oid, a.attnum),
  'isUnreadable', CASE WHEN NOT has_column_privilege(r.oid, a.attnum, 'SELECT') THEN true END)) AS value
FROM (${RELATIONS}) r
JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN (SELECT d.* FROM domains d JOIN pg_type b ON b.oid = d.base WHERE b.typtype <> 'd') d ON d.domain = a.atttypid
JOIN pg_type t ON t.oid = COALESCE(d.base, a.atttypid)
CROSS JOIN LATERAL (SELECT COALESCE(d.modifier, a.atttypmod) AS modifier) m
LEFT JOIN pg_attrdef v ON v.adrelid = r.oid AND v.adnum = a.attnum
CROSS JOIN LATERAL (SELECT CASE WHEN a.attgenerated <> '' THEN 'computed'
  WHEN a.attidentity <> '' OR pg_get_expr(v.adbin, v.adrelid) LIKE 'nextval(''%''::regclass)' THEN 'numbered'
  ELSE 'given' END AS origin) o
LEFT JOIN (
  SELECT enumtypid, array_agg(enumlabel::text ORDER BY enumsortorder) AS labels FROM pg_enum GROUP BY enumtypid
) e ON e.enumtypid = t.oid
ORDER BY r.oid, a.attnum`;

/** Columns that an index only includes are not part of its key. */
const INDEXES = `
SELECT r.oid::text AS id, json_build_object('isPrimary', i.indisprimary, 'isUnique', i.indisunique,
  'isDeferrable', NOT i.indimmediate, 'isTree', m.amname = 'btree',
  'columns', ARRAY(SELECT a.attname::text
    FROM generate_series(0, i.indnkeyatts - 1) AS k
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k]
    ORDER BY k)) AS value
FROM (${RELATIONS}) r JOIN pg_index i ON i.indrelid = r.oid
JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam
WHERE i.indpred IS NULL AND i.indexprs IS NULL AND i.indisvalid
ORDER BY i.indexrelid`;

/**
 * A foreign key to a partitioned table has an additional entry for each partition. Only PostgreSQL 18 and newer
 * know keys that are not enforced; these are not validated, either. A key that each partition declares by itself is one of
 * the partitioned table.
 */
const FOREIGN_KEYS = `
WITH keys AS (
  SELECT f.conrelid, f.conname, f.convalidated, n.nspname, t.relname,
    ARRAY(SELECT a.attname::text
      FROM unnest(f.conkey) WITH ORDINALITY AS k (number, position)
      JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.number
      ORDER BY k.position) AS columns,
    ARRAY(SELECT a.attname::text
      FROM unnest(f.confkey) WITH ORDINALITY AS k (number, position)
      JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.number
      ORDER BY k.position) AS target_columns
  FROM pg_constraint f
  JOIN pg_class t ON t.oid = f.confrelid
  JOIN pg_namespace n ON n.oid = t.relnamespace
  WHERE f.contype = 'f' AND f.conparentid = 0
), relations AS (${RELATIONS}), partitions AS (
  SELECT r.oid, p.relid FROM relations r CROSS JOIN LATERAL pg_partition_tree(r.oid) p
  WHERE r.relkind = 'p' AND p.isleaf
), all_keys AS (
  SELECT r.oid, k.* FROM relations r JOIN keys k ON k.conrelid = r.oid
  UNION ALL
  SELECT p.oid, NULL, min(k.conname), bool_and(k.convalidated), k.nspname, k.relname, k.columns, k.target_columns
  FROM partitions p JOIN keys k ON k.conrelid = p.relid
  GROUP BY p.oid, k.nspname, k.relname, k.columns, k.target_columns
  HAVING count(DISTINCT p.relid) = (SELECT count(*) FROM partitions o WHERE o.oid = p.oid)
)
SELECT oid::text AS id, json_strip_nulls(json_build_object(
  'name', conname, 'schema', nspname, 'table', relname, 'isUnchecked', CASE WHEN NOT convalidated THEN true END,
  'columns', columns, 'targetColumns', target_columns)) AS value
FROM all_keys
ORDER BY oid, conname`;

/** A table, or a part of the table with this number. */
interface Row<Value> {
  readonly id: string;
  readonly value: Value;
}

type Parts = Pick<
  ExistingTable,
  | 'columns'
  | 'primaryKey'
  | 'uniqueKeys'
  | 'deferrableKeys'
  | 'indexes'
  | 'otherIndexes'
  | 'foreignKeys'
>;

interface Index {
  readonly isPrimary: boolean;
  readonly isUnique: boolean;
  readonly isDeferrable: boolean;
  /** Whether it is a B-tree. */
  readonly isTree: boolean;
  readonly columns: readonly string[];
}

/**
 * The tables that unqualified names find, and all tables of `schemas`, sorted by schema and name.
 */
export async function readTables(
  client: pg.Client,
  schemas: readonly string[],
): Promise<readonly ExistingTable[]> {
  const ask = async <Value>(sql: string) => (await client.query<Row<Value>>(sql, [schemas])).rows;
  const tables = await ask<Omit<ExistingTable, keyof Parts>>(TABLES);
  const columns = byTable(await ask<ExistingColumn>(COLUMNS));
  const indexes = byTable(await ask<Index>(INDEXES));
  const foreignKeys = byTable(await ask<ExistingTable['foreignKeys'][number]>(FOREIGN_KEYS));
  return tables.map(({ id, value }) => {
    const own = indexes.get(id) ?? [];
    const unique = own.filter((index) => index.isUnique && !index.isPrimary);
    return {
      ...value,
      columns: columns.get(id) ?? [],
      primaryKey: own.find((index) => index.isPrimary)?.columns,
      uniqueKeys: unique.filter((key) => !key.isDeferrable).map((key) => key.columns),
      deferrableKeys: unique.filter((key) => key.isDeferrable).map((key) => key.columns),
      indexes: own.filter(({ isTree }) => isTree).map((index) => index.columns),
      otherIndexes: own.filter(({ isTree }) => !isTree).map((index) => index.columns),
      foreignKeys: foreignKeys.get(id) ?? [],
    };
  });
}

function byTable<Value>(rows: readonly Row<Value>[]): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const { id, value } of rows) addToGroup(groups, id, value);
  return groups;
}
