/** The sequence that numbers a column of PostgreSQL. */

/**
 * SQL that returns the sequence that the column owns, or else the one in its default; null if there is none. The
 * arguments are parameters: the table as SQL, and the stored name of the column.
 */
export function sequenceSql(table: string, column: string): string {
  const classOf = "'pg_class'::regclass";
  // Functions find the names, because each further table would slow down the statement also where it is not read.
  const ofDefault = [
    'SELECT refobjid FROM pg_attrdef JOIN pg_depend',
    `ON classid = 'pg_attrdef'::regclass AND objid = pg_attrdef.oid AND refclassid = ${classOf}`,
    `WHERE adrelid = ${table}::regclass`,
    `AND (pg_identify_object_as_address(${classOf}, adrelid, adnum)).object_names[3] = ${column}`,
    `AND (pg_identify_object(${classOf}, refobjid, 0)).type = 'sequence' LIMIT 1`,
  ].join(' ');
  return `coalesce(pg_get_serial_sequence(${table}, ${column})::regclass, (${ofDefault})::regclass)`;
}

/**
 * Up to this distance, a sequence is moved by `nextval`, which never moves it back, whatever other
 * sessions do. Beyond it, the sequence is set in one step.
 */
const CALLED_STEPS_MAX = 1000;

/**
 * SQL of the highest and the lowest key in the column, as `int8`, which may read `maximum_value` and `minimum_value` of the
 * sequence; and the arguments of {@link sequenceSql}.
 */
export interface KeysOfSequence {
  readonly highest: string;
  readonly lowest: string;
  readonly table: string;
  readonly column: string;
}

/**
 * SQL that moves the sequence of a column past keys, never back.
 *
 * Before a sequence that `setval` or RESTART has placed is called, its last value is unknown, so it is called once
 * before it is set. A key outside of its range is never generated, and does not move it. A role that must not use the
 * sequence generates no keys, and one that must not set it moves it only by calls.
 */
export function moveSequenceSql({ highest, lowest, table, column }: KeysOfSequence): string {
  return [
    'SELECT CASE',
    `WHEN s.steps BETWEEN 1 AND ${CALLED_STEPS_MAX} THEN`,
    '(SELECT max(v) FROM (SELECT nextval(s.name) AS v FROM generate_series(1, s.steps)) called)',
    "WHEN s.steps > 0 AND has_sequence_privilege(s.name, 'UPDATE') THEN setval(s.name, CASE WHEN s.increment > 0",
    'THEN greatest(s.key, nextval(s.name)) ELSE least(s.key, nextval(s.name)) END) END',
    'FROM (SELECT name, key, increment,',
    // Numeric, because differences of 64-bit integers overflow.
    'least(trunc((key - coalesce(pg_sequence_last_value(name), start_value::numeric - increment)) / increment),',
    `${CALLED_STEPS_MAX + 1})::int8 AS steps`,
    `FROM (SELECT ${sequenceSql(table, column)} AS name OFFSET 0) n, pg_sequence_parameters(name),`,
    `LATERAL (SELECT CASE WHEN increment > 0 THEN ${highest} ELSE ${lowest} END AS key OFFSET 0) k`,
    "WHERE (has_sequence_privilege(name, 'USAGE') OR has_sequence_privilege(name, 'SELECT') AND",
    "has_sequence_privilege(name, 'UPDATE')) AND key BETWEEN minimum_value AND maximum_value) s",
  ].join(' ');
}

/** SQL that uses the sequence of a column only if that is not allowed. An identity column needs no right to its sequence. */
export function sequenceUse(table: string, column: string): string {
  return [
    `SELECT nextval(name) FROM (SELECT ${sequenceSql(table, column)} AS name) s`,
    "WHERE NOT has_sequence_privilege(name, 'USAGE, UPDATE') AND EXISTS (SELECT FROM pg_attribute",
    `WHERE attrelid = ${table}::regclass AND attname = ${column} AND attidentity = '')`,
  ].join(' ');
}

/** SQL that sets the sequence of a column only if that is not allowed. */
export function sequenceMove(table: string, column: string): string {
  return [
    `SELECT setval(name, 1) FROM (SELECT ${sequenceSql(table, column)} AS name) s`,
    "WHERE NOT has_sequence_privilege(name, 'UPDATE')",
  ].join(' ');
}
