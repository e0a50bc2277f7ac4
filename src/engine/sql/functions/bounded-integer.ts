/** Whole numbers that a function needs to be at least something. */
import type { CallSql } from './template.js';

/** The argument, or `least` when it is below; null stays null. */
export function atLeast(call: CallSql, index: number, least: number): string {
  const digits = call.digits(index);
  if (digits !== undefined) return Number(digits) < least ? String(least) : digits;
  return `CASE WHEN ${call.operand(index)} < ${least} THEN ${least} ELSE ${call.operand(index)} END`;
}
