/** `/metadata`: the tree of sentences with their columns and parameters. */
import type { CompiledQuery, Sentence } from '../compiled-query.js';
import type { Position } from '../errors.js';
import type { Constraint } from '../schema/model.js';
import { constraintsOf } from './constraints.js';

export interface TypedName {
  readonly name: string;
  readonly type: string;
}

export interface SentenceNode {
  readonly classtype: 'Sentence';
  readonly pos: Position;
  readonly name: string;
  readonly children: readonly SentenceNode[];
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

/** The metadata of a query, in the key order of the interface document. */
export function describeMetadata(query: CompiledQuery): SentenceNode {
  return sentenceNode(query.root);
}

function sentenceNode(sentence: Sentence): SentenceNode {
  const parent = sentence.columns.find(({ role }) => role === 'parent');
  const own = sentence.parameters.map(({ name, type }) => ({ name, type }));
  return {
    classtype: 'Sentence',
    pos: { ln: sentence.position.ln, col: sentence.position.col },
    name: sentence.clause,
    children: sentence.includes.map((include) => sentenceNode(include.sentence)),
    type: 'any',
    entity: sentence.entity,
    columns: sentence.columns.map(({ name, type }) => ({ name, type })),
    parameters: parent ? [{ name: parent.name, type: `[${parent.type}]` }, ...own] : own,
    constraints: constraintsOf(sentence),
    values: [],
    defaults: [],
    clause: sentence.clause,
    alias: sentence.alias,
  };
}
