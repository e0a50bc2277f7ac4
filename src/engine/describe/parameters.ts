/**
 * `/parameters`: the parameters of a query, and the keys that link its included relations to their
 * parents.
 */
import type { CompiledQuery } from '../compiled-query.js';
import type { ModelField } from './model.js';

/** A parameter, or the parameters of a relation. */
export type ParameterField = ModelField;

const parentField: ParameterField = { name: 'ServiceParentId', type: 'any' };

/** The parameters of a query. Those of an included relation are listed under its name. */
export function describeParameters({
  root,
}: Pick<CompiledQuery, 'root'>): readonly ParameterField[] {
  const own = root.parameters.map(({ name, type }) => ({ name, type }));
  const relations = root.includes.map(({ relation, statement: child }) => ({
    name: relation,
    type: child.entity,
    children: [...(child.write ? [] : [parentField]), ...describeParameters({ root: child })],
  }));
  return [...own, ...relations];
}
