/** Writes on PostgreSQL. */
import { columnArrays } from './array-literal.js';
import { postgresqlExpressions as postgresql } from './expressions.js';
import type { WriteField } from '../../compiled-write.js';
import { isArray } from '../../schema/array-types.js';
import type { PropertyType } from '../../schema/model.js';
import { moveSequenceSql } from './sequence.js';
import type { WriteDialect } from '../write-dialect.js';

/** The maximum number of rows in a statement, which limits the size of its parameters. */
const ROWS_MAX = 5000;

const moveSequence = moveSequenceSql({
  highest: '$1::int8',
  lowest: '$2::int8',
  table: '$3',
  column: '$4',
});

/**
 * Fails by an overflow if the table or a partition of it has rules, is foreign, or has triggers for each row that run
 * before an INSERT or UPDATE, or instead of it. The bits of `tgtype` are 1 (each row), 2 (before), 4 (INSERT),
 * 16 (UPDATE) and 64 (instead). The partitions are not read by a function, because it would lock them.
 */
const leavesNoneOut = [
  'WITH RECURSIVE part AS (SELECT $1::regclass::oid AS oid',
  'UNION ALL SELECT inhrelid FROM part JOIN pg_inherits ON inhparent = part.oid)',
  'SELECT 2147483647 + count(*)::int4 FROM part, LATERAL (SELECT FROM pg_class c WHERE c.oid = part.oid',
  "AND (relkind = 'f' OR relhasrules OR relhastriggers AND EXISTS (SELECT FROM pg_trigger",
  'WHERE tgrelid = c.oid AND NOT tgisinternal AND tgtype & 1 > 0 AND tgtype & 66 > 0 AND tgtype & 20 > 0))',
  'OFFSET 0) incomplete',
].join(' ');

const infiniteNumber = { pattern: /^(?:NaN|-?Infinity)$/ };
const infiniteDate = { pattern: /^-?infinity$/ };

export const postgresqlWrites: WriteDialect = {
  lists: {
    table(fields, next, into) {
      const lists = fields.map((field) => listOf(field, next(), into));
      const columns = [...fields.map((_, index) => `c${index + 1}`), 'ord'];
      return `unnest(${lists.join(', ')}) WITH ORDINALITY AS given(${columns.join(', ')})`;
    },
    value: ({ type }, sql) => (isArray(type) ? postgresql.cast(sql, type) : sql),
    counted: (insert) =>
      `WITH stored AS (${insert}) SELECT stored.*, 1 / (CASE WHEN count(*) OVER () = cardinality($1) THEN 1 ELSE 0 END) FROM stored`,
    parameters: columnArrays,
  },
  rowsAtOnce: (left) => Math.min(left, ROWS_MAX),
  boundedKeys: true,
  onConflict(keys, updated, { fixed, idle, table, predicate }) {
    const target = keys.map(({ column }) => column).join(', ');
    // Without an assignment, RETURNING would not return an existing row.
    const assigned = updated.length > 0 || !idle ? updated : [idle];
    const given = (field: WriteField) =>
      keys.includes(field) || updated.includes(field) ? 'EXCLUDED' : table;
    const list = assigned.map((field) => `${field.column} = ${given(field)}.${field.column}`);
    const same = fixed.map(({ column }) => `${table}.${column} = EXCLUDED.${column}`);
    const conditions = predicate === undefined ? same : [...same, predicate];
    const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
    return ` ON CONFLICT (${target}) DO UPDATE SET ${list.join(', ')}${where}`;
  },
  // A cast from float8 to numeric keeps 15 digits.
  decimalOfDouble: (sql) => `${sql}::text::numeric`,
  enumOfText(sql, base, mapping) {
    const name = postgresql.storedName(mapping).replaceAll("'", "''");
    const row = `jsonb_populate_record(${base}, jsonb_build_object('${name}', ${sql}))`;
    return `(${row}).${postgresql.quoteName(mapping)}`;
  },
  overriding: ' OVERRIDING SYSTEM VALUE',
  returnsInserted: 'all',
  returnsUpdated: true,
  generatedKeys: (column) => `${column} = lastval()`,
  defaultRow: (table) => `INSERT INTO ${table} DEFAULT VALUES`,
  moveSequence,
  leavesNoneOut,
  deleteFrom: (table, alias) => `DELETE FROM ${table} ${alias}`,
  storedTexts: {
    hasNested: true,
    decimal: infiniteNumber,
    number: infiniteNumber,
    dateTime: infiniteDate,
    date: infiniteDate,
    time: { pattern: /^24:00:00$/, name: 'a time (HH:MM:SS, up to 24:00:00)' },
  },
  readsWritten: ['update', 'delete'],
  violationStates: { foreignKey: '23503', unique: '23505' },
  amongRows(keys, select) {
    const left = keys.length === 1 ? keys.join('') : `(${keys.join(', ')})`;
    return `${left} IN (${select})`;
  },
};

/**
 * The values of a field. If columns of several types can hold values of its type, the list has the type of the column:
 * `json` keeps the text that `jsonb` changes, a cast from `float8` to `numeric` keeps 15 digits, and PostgreSQL does not
 * cast text to enumerated types. A list of arrays would become one array of two dimensions.
 */
function listOf(field: WriteField, placeholder: string, into: string): string {
  const { type, column, writeExp } = field;
  if (isArray(type)) return `${postgresql.cast(placeholder, 'string')}[]`;
  const isOfColumn = numbers.has(type) ? writeExp === undefined : typesOfColumns.has(type);
  if (!isOfColumn) return `${postgresql.cast(placeholder, type)}[]`;
  return `array_cat(${placeholder}, ARRAY(SELECT ${column} FROM ${into} WHERE FALSE))`;
}

const typesOfColumns: ReadonlySet<PropertyType> = new Set(['string', 'json', 'inet', 'any']);
/** A `writeExp` takes them in their own type. */
const numbers: ReadonlySet<PropertyType> = new Set(['number', 'decimal']);
