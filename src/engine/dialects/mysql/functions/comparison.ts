/** Conditions on MySQL and MariaDB. Strings are compared by the collation of their column. */
import type { comparisonFunctions } from '../../../query/functions/comparison.js';
import type { CallSql, Templates } from '../../functions/template.js';
import { contains, endsWith, startsWith } from './search.js';

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

function isText(call: CallSql): boolean {
  return call.type(0) === 'string' || call.type(0) === 'any';
}
