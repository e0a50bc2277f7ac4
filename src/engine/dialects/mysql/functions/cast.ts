/** Arguments of MySQL functions in the type that the function has them in. */
import type { CallSql } from '../../functions/template.js';

/** A number without the error of a double. */
export function exact(call: CallSql, index: number): string {
  if (call.type(index) !== 'number') return call.operand(index);
  return `CAST(${call.value(index)} AS DECIMAL(65,30))`;
}

/** A date with its time of day. */
export function instant(call: CallSql, index: number): string {
  return `CAST(${call.value(index)} AS DATETIME(6))`;
}

/** A number without a fraction as an integer; one that has more than 64 bits is an error. */
export function whole(sql: string): string {
  return `(${sql} DIV 1)`;
}

/** A text that takes on the collation of any column beside it: CAST would give it one of its own. */
export function uncollated(sql: string): string {
  return `JSON_UNQUOTE(JSON_QUOTE(${sql}))`;
}

/** Such a text with the collation of a column, where there is one. */
export function collatedAs(column: string | undefined, sql: string): string {
  return column === undefined ? sql : `CONCAT(IFNULL(LEFT(${column}, 0), ''), ${sql})`;
}
