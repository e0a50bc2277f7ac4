/**
 * `/parameters`: the parameters of a query, and the keys that link its included relations to their
 * parents.
 */
import type { CompiledQuery, StatementPlan } from '../compiled-query.js';
import type { ModelField } from './model.js';

/** A parameter, or the parameters of a relation. */
export type ParameterField = ModelField;

/** The parameters of a query. Those of an included relation are listed under its name. */
export function describeParameters(query: CompiledQuery): readonly ParameterField[] {
  return parameterFields(query.root);
}

const parentField: ParameterField = { name: 'ServiceParentId', type: 'any' };

function parameterFields(statement: StatementPlan): ParameterField[] {
  const own = statement.parameters.map(({ name, type }) => ({ name, type }));
  const relations = statement.includes.map(({ relation, statement: child }) => ({
    name: relation,
    type: child.entity,
    children: [...(child.write ? [] : [parentField]), ...parameterFields(child)],
  }));
  return [...own, ...relations];
}
