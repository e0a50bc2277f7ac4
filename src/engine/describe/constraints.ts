/** `/constraints`: what a query is checked against before it writes; a select against nothing. */
import type { CompiledQuery, Sentence } from '../compiled-query.js';
import type { Constraint } from '../schema/model.js';
import { maskedText } from './masked-text.js';

export interface ConstraintNode {
  readonly entity: string;
  readonly constraints: readonly Constraint[];
  readonly children?: readonly ConstraintNode[];
}

/** The constraint tree of a query. */
export function describeConstraints(query: CompiledQuery): ConstraintNode {
  return constraintNode(query.root);
}

/** What the rows of a sentence are checked against. */
export function constraintsOf({ write }: Sentence): readonly Constraint[] {
  return (write?.constraints ?? []).map(({ message, condition }) => ({
    message,
    condition: maskedText(condition),
  }));
}

function constraintNode(sentence: Sentence): ConstraintNode {
  const node = { entity: sentence.entity, constraints: constraintsOf(sentence) };
  if (sentence.includes.length === 0) return node;
  return { ...node, children: sentence.includes.map((each) => constraintNode(each.sentence)) };
}
