/** Reads tables and views from PostgreSQL's catalog, with one query for each catalog table. */
import type pg from 'pg';
import { addToGroup } from '../../add-to-group.js';
import type { Digits, ExistingColumn, ExistingTable } from '../../../engine/index.js';

/** The tables that unqualified names find, and those in the schemas of $1. */
const RELATIONS = `
SELECT c.oid, c.relname, n.nspname, c.relkind, c.relispartition, pg_table_is_visible(c.oid) AS is_visible
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND (pg_table_is_visible(c.oid) OR n.nspname = ANY($1::text[]))`;

const TABLES = `
SELECT r.oid::text AS id, r.nspname::text AS schema, r.relname::text AS name, r.is_visible,
  CASE WHEN x.objid IS NOT NULL THEN 'extension' WHEN r.relkind = 'v' THEN 'view'
    WHEN r.relkind = 'm' THEN 'materialized view' WHEN r.relispartition THEN 'partition'
    WHEN r.relkind = 'f' THEN 'foreign table' ELSE 'table' END AS kind,
  ARRAY(SELECT h.relname::text FROM pg_inherits i JOIN pg_class h ON h.oid = i.inhrelid
    WHERE i.inhparent = r.oid AND NOT h.relispartition ORDER BY h.relname) AS heirs,
  obj_description(r.oid, 'pg_class') AS comment
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
SELECT r.oid::text AS table_id, a.attname::text AS name, t.typname::text AS type,
  format_type(a.atttypid, a.atttypmod) AS declared,
  CASE WHEN t.typname IN ('varchar', 'bpchar') AND m.modifier > 4 THEN m.modifier - 4 END AS length,
  CASE WHEN t.typname IN ('numeric', '_numeric') AND m.modifier > 4 THEN m.modifier - 4 END AS digits,
  NOT (a.attnotnull OR COALESCE(d.is_required, false)) AS is_nullable,
  CASE WHEN a.attgenerated <> '' THEN NULL ELSE COALESCE(pg_get_expr(v.adbin, v.adrelid), d.value) END AS value,
  a.attidentity <> '' OR COALESCE(pg_get_expr(v.adbin, v.adrelid) LIKE 'nextval(''%''::regclass)', false) AS is_numbered,
  a.attgenerated <> '' AS is_computed, NOT has_column_privilege(r.oid, a.attnum, 'SELECT') AS is_unreadable,
  e.labels, d.domain IS NOT NULL AS is_domain, col_description(r.oid, a.attnum) AS comment
FROM (${RELATIONS}) r
JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN (SELECT d.* FROM domains d JOIN pg_type b ON b.oid = d.base WHERE b.typtype <> 'd') d ON d.domain = a.atttypid
JOIN pg_type t ON t.oid = COALESCE(d.base, a.atttypid)
CROSS JOIN LATERAL (SELECT COALESCE(d.modifier, a.atttypmod) AS modifier) m
LEFT JOIN pg_attrdef v ON v.adrelid = r.oid AND v.adnum = a.attnum
LEFT JOIN (
  SELECT enumtypid, array_agg(enumlabel::text ORDER BY enumsortorder) AS labels FROM pg_enum GROUP BY enumtypid
) e ON e.enumtypid = t.oid
ORDER BY r.oid, a.attnum`;

/** Columns that an index only includes are not part of its key. */
const INDEXES = `
SELECT r.oid::text AS table_id, i.indisprimary AS is_primary, i.indisunique AS is_unique,
  NOT i.indimmediate AS is_deferrable,
  ARRAY(SELECT a.attname::text
    FROM generate_series(0, i.indnkeyatts - 1) AS k
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k]
    ORDER BY k) AS columns
FROM (${RELATIONS}) r JOIN pg_index i ON i.indrelid = r.oid
WHERE i.indpred IS NULL AND i.indexprs IS NULL AND i.indisvalid
ORDER BY i.indexrelid`;

/**
 * A foreign key to a partitioned table has an additional entry for each partition. Only PostgreSQL 18 and newer
 * know keys that are not enforced; these are not validated, either.
 */
const FOREIGN_KEYS = `
SELECT r.oid::text AS table_id, f.conname::text AS name, n.nspname::text AS target_schema, t.relname::text AS target,
  NOT f.convalidated AS is_unchecked,
  ARRAY(SELECT a.attname::text
    FROM unnest(f.conkey) WITH ORDINALITY AS k (number, position)
    JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.number
    ORDER BY k.position) AS columns,
  ARRAY(SELECT a.attname::text
    FROM unnest(f.confkey) WITH ORDINALITY AS k (number, position)
    JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.number
    ORDER BY k.position) AS target_columns
FROM (${RELATIONS}) r
JOIN pg_constraint f ON f.conrelid = r.oid AND f.contype = 'f' AND f.conparentid = 0
JOIN pg_class t ON t.oid = f.confrelid
JOIN pg_namespace n ON n.oid = t.relnamespace
ORDER BY r.oid, f.conname`;

interface TableRow {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
  readonly is_visible: boolean;
  readonly kind: ExistingTable['kind'];
  readonly heirs: readonly string[];
  readonly comment: string | null;
}

interface Part {
  readonly table_id: string;
}

interface ColumnRow extends Part {
  readonly name: string;
  readonly type: string;
  readonly declared: string;
  readonly length: number | null;
  readonly digits: number | null;
  readonly is_nullable: boolean;
  readonly value: string | null;
  readonly is_numbered: boolean;
  readonly is_computed: boolean;
  readonly is_unreadable: boolean;
  readonly labels: readonly string[] | null;
  readonly is_domain: boolean;
  readonly comment: string | null;
}

interface IndexRow extends Part {
  readonly is_primary: boolean;
  readonly is_unique: boolean;
  readonly is_deferrable: boolean;
  readonly columns: readonly string[];
}

interface ForeignKeyRow extends Part {
  readonly name: string;
  readonly target_schema: string;
  readonly target: string;
  readonly is_unchecked: boolean;
  readonly columns: readonly string[];
  readonly target_columns: readonly string[];
}

/**
 * The tables that unqualified names find, and all tables of `schemas`, sorted by schema and name.
 */
export async function readTables(
  client: pg.Client,
  schemas: readonly string[],
): Promise<readonly ExistingTable[]> {
  const ask = async <Row extends pg.QueryResultRow>(sql: string) =>
    (await client.query<Row>(sql, [schemas])).rows;
  const tables = await ask<TableRow>(TABLES);
  const columns = byTable(await ask<ColumnRow & pg.QueryResultRow>(COLUMNS));
  const indexes = byTable(await ask<IndexRow & pg.QueryResultRow>(INDEXES));
  const foreignKeys = byTable(await ask<ForeignKeyRow & pg.QueryResultRow>(FOREIGN_KEYS));
  return tables.map(({ id, schema, name, is_visible, kind, heirs, comment }) => {
    const own = indexes.get(id) ?? [];
    const unique = own.filter((index) => index.is_unique && !index.is_primary);
    return {
      schema,
      name,
      isVisible: is_visible,
      kind,
      ...(heirs.length > 0 && { heirs }),
      columns: (columns.get(id) ?? []).map(columnOf),
      primaryKey: own.find((index) => index.is_primary)?.columns,
      uniqueKeys: unique.filter((key) => !key.is_deferrable).map((key) => key.columns),
      deferrableKeys: unique.filter((key) => key.is_deferrable).map((key) => key.columns),
      indexes: own.map((index) => index.columns),
      foreignKeys: (foreignKeys.get(id) ?? []).map((key) => ({
        name: key.name,
        columns: key.columns,
        schema: key.target_schema,
        table: key.target,
        targetColumns: key.target_columns,
        ...(key.is_unchecked && { isUnchecked: true }),
      })),
      ...(comment !== null && { comment }),
    };
  });
}

function columnOf(row: ColumnRow): ExistingColumn {
  const { name, type, declared, length, digits, value, labels, comment } = row;
  const isNumbered = row.is_numbered;
  const isDefault = value !== null && !isNumbered;
  return {
    name,
    type,
    declared,
    ...(length !== null && { length }),
    ...(digits !== null && { digits: digitsOf(digits) }),
    isNullable: row.is_nullable,
    ...(isDefault && { default: value }),
    origin: row.is_computed ? 'computed' : isNumbered ? 'numbered' : 'given',
    ...(labels && {
      enum: { name: type, values: labels, ...(row.is_domain && { isDomain: true }) },
    }),
    ...(comment !== null && { comment }),
    ...(row.is_unreadable && { isUnreadable: true }),
  };
}

/** The precision is in the upper half of the modifier; the scale has 11 bits and a sign. */
function digitsOf(modifier: number): Digits {
  return { precision: modifier >> 16, scale: ((modifier & 0x7ff) ^ 1024) - 1024 };
}

function byTable<Row extends Part>(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) addToGroup(groups, row.table_id, row);
  return groups;
}
