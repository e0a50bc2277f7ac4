/** `/constraints`: the constraints that a query checks before it writes. A select has none. */
import type { CompiledQuery, StatementPlan } from '../compiled-query.js';
import type { Constraint } from '../schema/model.js';
import { projectConstraint } from './project-entity.js';

export interface ConstraintNode {
  readonly entity: string;
  readonly constraints: readonly Constraint[];
  readonly children?: readonly ConstraintNode[];
}

export function describeConstraints(query: CompiledQuery): ConstraintNode {
  return constraintNode(query.root);
}

/** The constraints that the rows of a statement must meet. */
export function constraintsOf({ write }: StatementPlan): readonly Constraint[] {
  return (write?.constraints ?? []).map(projectConstraint);
}

function constraintNode(statement: StatementPlan): ConstraintNode {
  const node = { entity: statement.entity, constraints: constraintsOf(statement) };
  if (statement.includes.length === 0) return node;
  return { ...node, children: statement.includes.map((each) => constraintNode(each.statement)) };
}
