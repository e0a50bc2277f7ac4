/** `/model`: the fields of the rows that a query returns. */
import type { CompiledQuery, StatementPlan } from '../compiled-query.js';

export interface ModelField {
  readonly name: string;
  readonly type: string;
  readonly children?: readonly ModelField[];
}

/**
 * The model of a query's rows. An included relation has the key that links it to its parent. An update
 * or delete returns a number, so that its model is empty.
 */
export function describeModel(query: CompiledQuery): readonly ModelField[] {
  const { clause } = query.root;
  return clause === 'update' || clause === 'delete' ? [] : modelFields(query.root);
}

function modelFields(statement: StatementPlan): ModelField[] {
  const columns = statement.columns.filter(({ role }) => role !== 'key');
  const fields: ModelField[] = columns.map(({ name, type }) => ({ name, type }));
  const relations = statement.includes.map(({ relation, cardinality, statement: child }) => ({
    name: relation,
    type: cardinality === 'many' ? `${child.entity}[]` : child.entity,
    children: modelFields(child),
  }));
  return [...fields, ...relations];
}
