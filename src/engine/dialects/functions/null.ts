/** What stands in for null, alike in every dialect. */
import type { nullFunctions } from '../../query/functions/null.js';
import type { Templates } from './template.js';

export const nullTemplates: Templates<keyof typeof nullFunctions> = {
  nvl: (call) => {
    const values = Array.from({ length: call.count }, (_, index) => call.value(index));
    return `COALESCE(${values.join(', ')})`;
  },
  nvl2: (call) =>
    `CASE WHEN ${call.operand(0)} IS NOT NULL THEN ${call.value(1)} ELSE ${call.value(2)} END`,
};
