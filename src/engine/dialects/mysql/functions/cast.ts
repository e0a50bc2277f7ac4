/** Converts arguments of MySQL functions to the types that the functions need. */
import type { CallSql } from '../../functions/template.js';

/** A number as an exact decimal, without the error of a double. */
export function exact(call: CallSql, index: number): string {
  return call.type(index) === 'number' ? decimal(call, index) : call.operand(index);
}

/**
 * The same, also for a decimal that is computed as a double: a power, or an average of doubles. A double is
 * rounded half to even.
 */
export function asDecimal(call: CallSql, index: number): string {
  return call.computed(index) === 'number' ? decimal(call, index) : call.operand(index);
}

function decimal(call: CallSql, index: number): string {
  return `CAST(${call.value(index)} AS DECIMAL(65,30))`;
}

/** A date with its time of day. */
export function instant(call: CallSql, index: number): string {
  return `CAST(${call.value(index)} AS DATETIME(6))`;
}

/** A number without a fraction as an integer. The database fails if it has more than 64 bits. */
export function whole(sql: string): string {
  return `(${sql} DIV 1)`;
}

/** A string that takes the collation of any column beside it, whereas CAST would give it its own. */
export function uncollated(sql: string): string {
  return `JSON_UNQUOTE(JSON_QUOTE(${sql}))`;
}

/** The same string with the collation of a column, if there is one. */
export function collatedAs(column: string | undefined, sql: string): string {
  return column === undefined ? sql : `CONCAT(IFNULL(LEFT(${column}, 0), ''), ${sql})`;
}
