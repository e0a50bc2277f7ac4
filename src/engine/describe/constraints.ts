/** `/constraints`: the constraints that a query checks before it writes. A select has none. */
import type { CompiledQuery, StatementPlan } from '../compiled-query.js';
import type { Constraint } from '../schema/model.js';
import { projectConstraint } from './project-entity.js';

export interface ConstraintNode {
  readonly entity: string;
  readonly constraints: readonly Constraint[];
  readonly children?: readonly ConstraintNode[];
}

export function describeConstraints({ root }: Pick<CompiledQuery, 'root'>): ConstraintNode {
  const node = { entity: root.entity, constraints: constraintsOf(root) };
  if (root.includes.length === 0) return node;
  const children = root.includes.map(({ statement }) => describeConstraints({ root: statement }));
  return { ...node, children };
}

/** The constraints that the rows of a statement must meet. */
export function constraintsOf({ write }: StatementPlan): readonly Constraint[] {
  return (write?.constraints ?? []).map(projectConstraint);
}
