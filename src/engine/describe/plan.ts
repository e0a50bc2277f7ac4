/** `/plan`: the SQL statements that would run, and in which source. */
import type { CompiledQuery } from '../compiled-query.js';

export interface PlanNode {
  readonly entity: string;
  readonly dialect: string;
  readonly source: string;
  readonly sentence: string;
  readonly children?: readonly PlanNode[];
}

export function describePlan({ root }: Pick<CompiledQuery, 'root'>): PlanNode {
  const { entity, dialect, source, text, displayed, includes } = root;
  const node = { entity, dialect, source, sentence: displayed ?? text };
  if (includes.length === 0) return node;
  return { ...node, children: includes.map(({ statement }) => describePlan({ root: statement })) };
}
