/**
 * Binds checks of rows after a write, where a view or a mapping hides rows. A written row must be
 * visible, and must not refer to a hidden row: otherwise the write would reveal whether that row
 * exists.
 */
import type { Bound, RowSource } from '../logical.js';
import { allOf } from '../bind-lambda.js';
import { leadsToMany, requiredColumns, rowOfEntity } from '../rows.js';
import { partsOf } from '../same-bound.js';
import type { BindContext } from '../scope.js';

/** A condition on a written row. */
export interface BoundCheck {
  readonly condition: Bound;
  /** The foreign key that is checked; undefined if the row itself is. */
  readonly property: string | undefined;
  /** The properties that the condition depends on. */
  readonly reads: ReadonlySet<string>;
}

/** The checks for a row's entity. References come first, as in a database. */
export function checksOf(context: BindContext, row: RowSource): readonly BoundCheck[] {
  const own = allOf(row.predicates);
  const references = row.entity.relations.flatMap((relation): BoundCheck[] => {
    if (leadsToMany(relation) || !isReference(context, row, relation.name)) return [];
    const span = { start: 0, end: 0 };
    const auxiliary = { ...context, predicateDepth: 0 };
    const target = rowOfEntity(auxiliary, relation.entity, span, row.statement);
    const isElsewhere = target.location.source.name !== row.location.source.name;
    if (target.predicates.length === 0 || isElsewhere) return [];
    const columns = requiredColumns(row, relation.from);
    const found: Bound = {
      kind: 'subselect',
      name: 'exists',
      relation,
      keys: columns,
      ties: requiredColumns(target, relation.to),
      row: target,
      argument: undefined,
      distinct: false,
      filter: undefined,
      type: 'boolean',
      span,
    };
    const right: Bound = { kind: 'null', span };
    const absent = columns.map(
      (left): Bound => ({ kind: 'binary', operator: '==', left, right, type: 'boolean', span }),
    );
    const condition = absent.reduceRight<Bound>(
      (rest, left) => ({
        kind: 'binary',
        operator: '||',
        left,
        right: rest,
        type: 'boolean',
        span,
      }),
      found,
    );
    const [property] = relation.from;
    return [{ condition, property, reads: new Set(relation.from) }];
  });
  if (!own) return references;
  const reads = new Set<string>();
  collectReads(own, row, reads);
  return [...references, { condition: own, property: undefined, reads }];
}

/** Whether the relation has the foreign key, and is not its inverse. */
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
    for (const part of [...bound.keys, bound.argument, bound.filter, ...bound.row.predicates]) {
      if (part) collectReads(part, row, into);
    }
  }
  for (const part of partsOf(bound)) collectReads(part, row, into);
}
