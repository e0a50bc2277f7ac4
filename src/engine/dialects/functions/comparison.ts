/** Conditions that are the same in every dialect. */
import type { CallSql, Templates } from './template.js';

export const commonComparisons: Templates<'between' | 'in'> = {
  between: (call) => `${call.compared(0)} BETWEEN ${call.beside(1, 0)} AND ${call.beside(2, 0)}`,
  in: (call: CallSql) => {
    const value = call.compared(0);
    const list = call.list(1, 0);
    if (list.kind === 'parameter') return list.among(value);
    const [only, other] = list.items;
    // IN with a single sub-select tests whether it has such a row: without rows it is false instead
    // of null.
    if (only !== undefined && other === undefined) return `${value} = ${only}`;
    return `${value} IN (${list.items.join(', ')})`;
  },
};
