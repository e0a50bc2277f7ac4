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

/** SQL that uses the sequence of a column only if that is not allowed. An identity column needs no right to its sequence. */
export function sequenceUse(table: string, column: string): string {
  return [
    `SELECT nextval(name) FROM (SELECT ${sequenceSql(table, column)} AS name) s`,
    "WHERE NOT has_sequence_privilege(name, 'USAGE, UPDATE') AND EXISTS (SELECT FROM pg_attribute",
    `WHERE attrelid = ${table}::regclass AND attname = ${column} AND attidentity = '')`,
  ].join(' ');
}
