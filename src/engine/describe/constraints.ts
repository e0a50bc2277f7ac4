/** `/constraints`: what a query is checked against before it writes; a select against nothing. */
import type { CompiledQuery, Sentence } from '../compiled-query.js';

export interface ConstraintNode {
  readonly entity: string;
  readonly constraints: readonly never[];
  readonly children?: readonly ConstraintNode[];
}

/** The constraint tree of a query. */
export function describeConstraints(query: CompiledQuery): ConstraintNode {
  return constraintNode(query.root);
}

function constraintNode({ entity, inclusions }: Sentence): ConstraintNode {
  if (inclusions.length === 0) return { entity, constraints: [] };
  const children = inclusions.map(({ sentence }) => constraintNode(sentence));
  return { entity, constraints: [], children };
}
