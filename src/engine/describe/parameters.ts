/**
 * `/parameters`: the parameters of a query, and the keys that link its included relations to their
 * parents.
 */
import type { CompiledQuery, StatementPlan } from '../compiled-query.js';
import type { ModelField } from './model.js';

/** A parameter, or the parameters of a relation. */
export type ParameterField = ModelField;

const parentField: ParameterField = { name: 'ServiceParentId', type: 'any' };

/**
 * The parameters of a query. Those of an included relation are listed under its name, and those that no statement
 * contains, such as the ones of a sort before `count()`, at the top: the query needs their values, too.
 */
export function describeParameters({
  root,
  parameters,
}: Pick<CompiledQuery, 'root' | 'parameters'>): readonly ParameterField[] {
  const sent = new Set(sentNames(root));
  const others = parameters.filter(({ name }) => !sent.has(name));
  return fieldsOf({ ...root, parameters: [...root.parameters, ...others] });
}

function sentNames({ parameters, includes }: StatementPlan): readonly string[] {
  const own = parameters.map(({ name }) => name);
  return [...own, ...includes.flatMap(({ statement }) => sentNames(statement))];
}

function fieldsOf({
  parameters,
  includes,
}: Pick<StatementPlan, 'parameters' | 'includes'>): readonly ParameterField[] {
  const own = parameters.map(({ name, type }) => ({ name, type }));
  const relations = includes.map(({ relation, statement: child }) => ({
    name: relation,
    type: child.entity,
    children: [...(child.write ? [] : [parentField]), ...fieldsOf(child)],
  }));
  return [...own, ...relations];
}
