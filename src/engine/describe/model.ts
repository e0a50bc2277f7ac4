/** `/model`: the fields of the rows that a query answers with. */
import type { CompiledQuery, Sentence } from '../compiled-query.js';

export interface ModelField {
  readonly name: string;
  readonly type: string;
  readonly children?: readonly ModelField[];
}

/**
 * The model of a query's rows; of an included relation, with the key that ties it to its parent. An
 * update or delete answers with a number, and has no rows.
 */
export function describeModel(query: CompiledQuery): readonly ModelField[] {
  const { clause } = query.root;
  return clause === 'update' || clause === 'delete' ? [] : modelFields(query.root);
}

function modelFields(sentence: Sentence): ModelField[] {
  const columns = sentence.columns.filter(({ role }) => role !== 'key');
  const fields: ModelField[] = columns.map(({ name, type }) => ({ name, type }));
  const relations = sentence.includes.map(({ relation, cardinality, sentence: child }) => ({
    name: relation,
    type: cardinality === 'many' ? `${child.entity}[]` : child.entity,
    children: modelFields(child),
  }));
  return [...fields, ...relations];
}
