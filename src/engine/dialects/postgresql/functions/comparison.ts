/** Conditions on PostgreSQL. */
import type { comparisonFunctions } from '../../../query/functions/comparison.js';
import { commonComparisons, isText } from '../../functions/common.js';
import type { CallSql, Templates } from '../../functions/template.js';

const contains = (call: CallSql) => `strpos(${call.value(0)}, ${call.value(1)}) > 0`;

export const comparisonTemplates: Templates<keyof typeof comparisonFunctions> = {
  ...commonComparisons,
  includes: contains,
  contains,
  like: (call) => `${call.operand(0)} LIKE ${pattern(call)}`,
  ilike: (call) => `lower(${call.value(0)}) LIKE lower(${pattern(call)})`,
  startsWith: (call) => `starts_with(${call.value(0)}, ${call.value(1)})`,
  endsWith: (call) => `starts_with(reverse(${call.value(0)}), reverse(${call.value(1)}))`,
  isNull,
  isNotNull,
  isEmpty: (call) => (isText(call) ? `coalesce(${call.value(0)}, '') = ''` : isNull(call)),
  isNotEmpty: (call) => (isText(call) ? `coalesce(${call.value(0)}, '') <> ''` : isNotNull(call)),
};

function isNull(call: CallSql): string {
  return isCondition(call) ? `num_nulls(${call.value(0)}) = 1` : `${call.operand(0)} IS NULL`;
}

function isNotNull(call: CallSql): string {
  return isCondition(call) ? `num_nulls(${call.value(0)}) = 0` : `${call.operand(0)} IS NOT NULL`;
}

/**
 * Whether the value is a boolean. From `x = ANY($1) IS NOT NULL`, PostgreSQL's planner concludes that x is not
 * null, and turns an outer join into an inner one; but the comparison with an empty list is false.
 */
function isCondition(call: CallSql): boolean {
  return call.type(0) === 'boolean';
}

/** The pattern. A backslash at its end matches itself, whereas PostgreSQL would refuse the pattern. */
function pattern(call: CallSql): string {
  const letters = call.letters(1);
  if (letters !== undefined && !letters.endsWith('\\')) return call.operand(1);
  return String.raw`regexp_replace(${call.value(1)}, '(?<!\\)((\\\\)*)\\$', '\1\\\\')`;
}
