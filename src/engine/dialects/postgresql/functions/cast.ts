/** Arguments of PostgreSQL functions in the type that the function has them in. */
import type { CallSql } from '../../functions/template.js';

/** `sql` as a value of a type of PostgreSQL; not twice. */
export function cast(sql: string, type: string): string {
  return sql.endsWith(`::${type}`) ? sql : `${sql}::${type}`;
}

/** A double: what the functions of analysis are computed with. */
export function double(call: CallSql, index: number): string {
  return cast(call.operand(index), 'float8');
}

/** A numeric; of a double, from the digits that it is displayed with. */
export function exact(call: CallSql, index: number): string {
  const sql = call.operand(index);
  return call.type(index) === 'number' ? `${sql}::text::numeric` : cast(sql, 'numeric');
}

/** An integer of 64 bits. */
export function int8(call: CallSql, index: number): string {
  return cast(call.operand(index), 'int8');
}

/**
 * A numeric without a fraction, made of an argument, as an int8. What is no number, or infinite, stays so in
 * a remainder by infinity, and is null.
 */
export function whole(sql: string, call: CallSql, index: number): string {
  const isFinite = call.type(index) === 'integer' || call.number(index) !== undefined;
  return isFinite ? `${sql}::int8` : `nullif(${sql} % 'Infinity', 'NaN')::int8`;
}

/** An int4: what digits, places and lengths are counted with. */
export function count(call: CallSql, index: number): string {
  return call.digits(index) ?? cast(call.operand(index), 'int4');
}

const INT4_MAX = 2 ** 31 - 1;

/** An int4 that is neither below `least` nor above `most`; null stays null. */
export function inBounds(call: CallSql, index: number, least: number, most = INT4_MAX): string {
  const digits = call.digits(index);
  if (digits !== undefined) return String(Math.min(Math.max(Number(digits), least), most));
  const number = call.operand(index);
  return `(CASE WHEN ${number} < ${least} THEN ${least} WHEN ${number} > ${most} THEN ${most} ELSE ${number} END)::int4`;
}

/** An int2: the database refuses what is greater, which bounds what it makes of it. */
export function shortCount(call: CallSql, index: number): string {
  return call.digits(index) ?? cast(call.operand(index), 'int2');
}

/** An instant, which the session's zone (UTC) gives a date and a time of day. */
export function instant(call: CallSql, index: number): string {
  return cast(call.operand(index), 'timestamptz');
}

/** What parts can be extracted of: a timestamp in UTC, or a time. */
export function clock(call: CallSql, index: number): string {
  return cast(call.operand(index), call.type(index) === 'time' ? 'time' : 'timestamp');
}
