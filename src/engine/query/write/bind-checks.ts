/**
 * What is checked of rows once they are written, where not all rows are shown: a row must be one of
 * those, and must not refer to one that is not: whether that one exists would be told by it.
 */
import type { Bound, RowSource } from '../logical.js';
import { allOf } from '../bind-lambda.js';
import { leadsToMany, requiredColumn, rowOfEntity } from '../rows.js';
import { partsOf } from '../same-bound.js';
import type { BindContext } from '../scope.js';

/** A condition on a written row. */
export interface BoundCheck {
  readonly condition: Bound;
  /** The foreign key that it is about; undefined: the row itself. */
  readonly property: string | undefined;
  /** The properties whose values decide it. */
  readonly reads: ReadonlySet<string>;
}

/** The checks of a row's entity: references first, as a database would. */
export function checksOf(context: BindContext, row: RowSource): readonly BoundCheck[] {
  const own = allOf(row.predicates);
  const references = row.entity.relations.flatMap((relation): BoundCheck[] => {
    if (leadsToMany(relation) || !isReference(context, row, relation.name)) return [];
    const span = { start: 0, end: 0 };
    const auxiliary = { ...context, predicateDepth: 0 };
    const target = rowOfEntity(auxiliary, relation.entity, span, row.statement);
    const isElsewhere = target.location.source.name !== row.location.source.name;
    if (target.predicates.length === 0 || isElsewhere) return [];
    const found: Bound = {
      kind: 'subselect',
      name: 'exists',
      relation,
      key: requiredColumn(row, relation.from),
      row: target,
      argument: undefined,
      distinct: false,
      filter: undefined,
      type: 'boolean',
      span,
    };
    const left = requiredColumn(row, relation.from);
    const right: Bound = { kind: 'null', span };
    const none: Bound = { kind: 'binary', operator: '==', left, right, type: 'boolean', span };
    return [
      {
        condition: {
          kind: 'binary',
          operator: '||',
          left: none,
          right: found,
          type: 'boolean',
          span,
        },
        property: relation.from,
        reads: new Set([relation.from]),
      },
    ];
  });
  if (!own) return references;
  const reads = new Set<string>();
  collectReads(own, row, reads);
  return [...references, { condition: own, property: undefined, reads }];
}

/** Whether the relation is the one that holds the key, and not its way back. */
function isReference({ catalog }: BindContext, { entity }: RowSource, name: string): boolean {
  const relation = entity.relations.find((each) => each.name === name);
  const target = relation && catalog.entity(relation.entity);
  return (target?.dependents ?? []).some(
    (dependent) => dependent.entity === entity.name && dependent.relation.name === name,
  );
}

function collectReads(bound: Bound, row: RowSource, into: Set<string>): void {
  if (bound.kind === 'column' && bound.row === row) into.add(bound.property);
  if (bound.kind === 'subselect') {
    for (const part of [bound.key, bound.argument, bound.filter, ...bound.row.predicates]) {
      if (part) collectReads(part, row, into);
    }
  }
  for (const part of partsOf(bound)) collectReads(part, row, into);
}
