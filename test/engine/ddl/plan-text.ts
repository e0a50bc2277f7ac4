/** Writes a plan as the text of a golden file. */
import type { DdlPlan } from '../../../src/engine/ddl/table.js';

export function planText(comment: string, plan: DdlPlan): string {
  return [
    `-- ${comment}\n`,
    ...plan.steps.map((step) => `-- ${step.description}\n${step.sql};\n`),
    ...plan.remarks.map((remark) => `-- remark: ${remark}\n`),
  ].join('\n');
}
