/** `/plan`: the SQL statements that would run, and in which source. */
import type { CompiledQuery, StatementPlan } from '../compiled-query.js';

export interface PlanNode {
  readonly entity: string;
  readonly dialect: string;
  readonly source: string;
  readonly sentence: string;
  readonly children?: readonly PlanNode[];
}

/** The plan tree of a query. */
export function describePlan(query: CompiledQuery): PlanNode {
  return planNode(query.root);
}

function planNode({ entity, dialect, source, text, displayed, includes }: StatementPlan): PlanNode {
  const node = { entity, dialect, source, sentence: displayed ?? text };
  if (includes.length === 0) return node;
  return { ...node, children: includes.map(({ statement }) => planNode(statement)) };
}
