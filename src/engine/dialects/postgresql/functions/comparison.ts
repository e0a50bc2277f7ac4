/** Conditions on PostgreSQL. */
import type { comparisonFunctions } from '../../../query/functions/comparison.js';
import type { CallSql, Templates } from '../../functions/template.js';

const contains = (call: CallSql) => `strpos(${call.value(0)}, ${call.value(1)}) > 0`;

export const comparisonTemplates: Templates<keyof typeof comparisonFunctions> = {
  between: (call) => `${call.compared(0)} BETWEEN ${call.beside(1, 0)} AND ${call.beside(2, 0)}`,
  in: (call) => {
    const value = call.compared(0);
    const list = call.list(1, 0);
    if (list.kind === 'parameter') return list.among(value);
    const [only, other] = list.items;
    // IN with a single sub-select tests whether it has such a row: without rows it is false instead
    // of null.
    if (only !== undefined && other === undefined) return `${value} = ${only}`;
    return `${value} IN (${list.items.join(', ')})`;
  },
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
