/** Conditions on MySQL and MariaDB. Strings are compared by the collation of their column. */
import type { comparisonFunctions } from '../../../query/functions/comparison.js';
import { commonComparisons, isText } from '../../functions/common.js';
import type { CallSql, Templates } from '../../functions/template.js';
import { contains, endsWith, startsWith } from './search.js';

export const comparisonTemplates: Templates<keyof typeof comparisonFunctions> = {
  ...commonComparisons,
  includes: contains,
  contains,
  like: (call) => `${call.operand(0)} LIKE ${call.operand(1)}`,
  ilike: (call) => `LOWER(${call.value(0)}) LIKE LOWER(${call.value(1)})`,
  startsWith,
  endsWith,
  isNull: (call) => `${call.operand(0)} IS NULL`,
  isNotNull: (call) => `${call.operand(0)} IS NOT NULL`,
  // Compares lengths, because a collation may ignore blanks.
  isEmpty: (call) =>
    isText(call) ? `CHAR_LENGTH(COALESCE(${call.value(0)}, '')) = 0` : `${call.operand(0)} IS NULL`,
  isNotEmpty: (call) =>
    isText(call)
      ? `CHAR_LENGTH(COALESCE(${call.value(0)}, '')) > 0`
      : `${call.operand(0)} IS NOT NULL`,
};

/** MySQL does not find a column of times with fewer decimal places in a list (8.0, 8.4). */
export function mysqlIn(call: CallSql): string {
  if (call.type(0) !== 'time') return commonComparisons.in(call);
  const compared = (index: number) =>
    index === 0 ? `CAST(${call.value(0)} AS TIME(6))` : call.compared(index);
  return commonComparisons.in({ ...call, compared });
}
