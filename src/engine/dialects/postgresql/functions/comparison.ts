/** Conditions on PostgreSQL. */
import type { comparisonFunctions } from '../../../query/functions/comparison.js';
import { commonComparisons } from '../../functions/comparison.js';
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
  isNull: (call) => `${call.operand(0)} IS NULL`,
  isNotNull: (call) => `${call.operand(0)} IS NOT NULL`,
  isEmpty: (call) =>
    isText(call) ? `coalesce(${call.value(0)}, '') = ''` : `${call.operand(0)} IS NULL`,
  isNotEmpty: (call) =>
    isText(call) ? `coalesce(${call.value(0)}, '') <> ''` : `${call.operand(0)} IS NOT NULL`,
};

/** The pattern. A backslash at its end matches itself, whereas PostgreSQL would refuse the pattern. */
function pattern(call: CallSql): string {
  const letters = call.letters(1);
  if (letters !== undefined && !letters.endsWith('\\')) return call.operand(1);
  return String.raw`regexp_replace(${call.value(1)}, '(?<!\\)((\\\\)*)\\$', '\1\\\\')`;
}

function isText(call: CallSql): boolean {
  return call.type(0) === 'string' || call.type(0) === 'any';
}
