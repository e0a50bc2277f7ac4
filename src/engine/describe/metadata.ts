/** `/metadata`: the tree of statements with their columns and parameters. */
import type { CompiledQuery } from '../compiled-query.js';
import type { Position } from '../errors.js';
import type { Constraint } from '../schema/model.js';
import { constraintsOf } from './constraints.js';

export interface TypedName {
  readonly name: string;
  readonly type: string;
}

export interface MetadataNode {
  readonly classtype: 'Sentence';
  readonly pos: Position;
  readonly name: string;
  readonly children: readonly MetadataNode[];
  readonly type: 'any';
  readonly entity: string;
  readonly columns: readonly TypedName[];
  readonly parameters: readonly TypedName[];
  readonly constraints: readonly Constraint[];
  readonly values: readonly never[];
  readonly defaults: readonly never[];
  readonly clause: string;
  readonly alias: string;
}

/** The metadata of a query, with the members in the order of the interface document. */
export function describeMetadata({ root: statement }: Pick<CompiledQuery, 'root'>): MetadataNode {
  const parent = statement.columns.find(({ role }) => role === 'parent');
  const own = statement.parameters.map(({ name, type }) => ({ name, type }));
  return {
    classtype: 'Sentence',
    pos: { ln: statement.position.ln, col: statement.position.col },
    name: statement.clause,
    children: statement.includes.map((include) => describeMetadata({ root: include.statement })),
    type: 'any',
    entity: statement.entity,
    columns: statement.columns.map(({ name, type }) => ({ name, type })),
    parameters: parent ? [{ name: parent.name, type: `[${parent.type}]` }, ...own] : own,
    constraints: constraintsOf(statement),
    values: [],
    defaults: [],
    clause: statement.clause,
    alias: statement.alias,
  };
}
