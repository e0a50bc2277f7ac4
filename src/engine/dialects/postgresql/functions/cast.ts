/** Converts arguments of PostgreSQL functions to the types that the functions need. */
import type { CallSql } from '../../functions/template.js';

/** Casts `sql` to a type of PostgreSQL, unless it already ends with that cast. */
export function cast(sql: string, type: string): string {
  return sql.endsWith(`::${type}`) ? sql : `${sql}::${type}`;
}

/** A double, which roots, logarithms and trigonometric functions take. */
export function double(call: CallSql, index: number): string {
  return cast(call.operand(index), 'float8');
}

/** A numeric; for a double, from the digits with which it is displayed. */
export function exact(call: CallSql, index: number): string {
  const sql = call.operand(index);
  return call.computed(index) === 'number' ? `${sql}::text::numeric` : cast(sql, 'numeric');
}

/**
 * Casts a numeric without a fraction, computed from an argument, to int8. NaN and infinity become null:
 * their remainder by infinity is NaN.
 */
export function whole(sql: string, call: CallSql, index: number): string {
  const isFinite = call.type(index) === 'integer' || call.number(index) !== undefined;
  return isFinite ? `${sql}::int8` : `nullif(${sql} % 'Infinity', 'NaN')::int8`;
}

const INT4_MAX = 2 ** 31 - 1;

/** An int4 within the bounds; null stays null. */
export function inBounds(call: CallSql, index: number, least: number, most = INT4_MAX): string {
  const digits = call.digits(index);
  if (digits !== undefined) return String(Math.min(Math.max(Number(digits), least), most));
  const number = call.operand(index);
  return `(CASE WHEN ${number} < ${least} THEN ${least} WHEN ${number} > ${most} THEN ${most} ELSE ${number} END)::int4`;
}

/** An instant. The session's time zone is UTC, which determines its date and time of day. */
export function instant(call: CallSql, index: number): string {
  return cast(call.operand(index), 'timestamptz');
}

/** A timestamp in UTC or a time, from which parts can be extracted. */
export function clock(call: CallSql, index: number): string {
  return cast(call.operand(index), call.type(index) === 'time' ? 'time' : 'timestamp');
}

/** A date or a number, or null if it is infinite. */
export function finite(sql: string): string {
  return `nullif(nullif(${sql}, 'Infinity'), '-Infinity')`;
}
