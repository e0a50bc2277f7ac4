/**
 * Binds checks of rows after a write, where a view or a mapping hides rows. A written row must be
 * visible, and must not refer to a hidden row: otherwise the write would reveal whether that row
 * exists.
 */
import { isHeldByOther } from '../../schema/key-holder.js';
import type { Relation } from '../../schema/model.js';
import { boundNull, condition, noSpan } from '../added.js';
import type { Bound, RowSource } from '../logical.js';
import { allOf } from '../bind-lambda.js';
import { relatedRow, rowOfEntity } from '../rows.js';
import { allWithin } from '../same-bound.js';
import type { BindContext } from '../scope.js';

/** A condition on a written row. */
export interface BoundCheck {
  readonly condition: Bound;
  /** The properties of the foreign key that is checked; undefined if the row itself is. */
  readonly reference: readonly string[] | undefined;
  /** Whether the view hides one of them. */
  readonly isHidden: boolean;
  /** The properties that the condition depends on. */
  readonly reads: ReadonlySet<string>;
}

/** The checks for a row's entity. References come first, as in a database. */
export function checksOf(context: BindContext, row: RowSource): readonly BoundCheck[] {
  const own = allOf(row.predicates);
  const references = referencesOf(context, row).flatMap((relation): BoundCheck[] => {
    const auxiliary = { ...context, predicateDepth: 0 };
    const target = rowOfEntity(auxiliary, relation.entity, noSpan, row.statement);
    const isElsewhere = target.location.source.name !== row.location.source.name;
    if (target.predicates.length === 0 || isElsewhere) return [];
    const related = relatedRow(row, target, { relation, span: noSpan });
    const absentOrFound = related.keys.reduceRight<Bound>(
      (rest, column) => condition('||', condition('==', column, boundNull), rest),
      { ...related, name: 'exists', type: 'boolean' },
    );
    const { from } = relation;
    const isHidden = !from.every((name) =>
      row.entity.properties.some((each) => each.name === name),
    );
    return [{ condition: absentOrFound, reference: from, isHidden, reads: new Set(from) }];
  });
  if (!own) return references;
  const reads = new Set(
    allWithin(own).flatMap((part) =>
      part.kind === 'column' && part.row === row ? [part.property] : [],
    ),
  );
  return [...references, { condition: own, reference: undefined, isHidden: false, reads }];
}

/**
 * The relations whose foreign keys a write can set; weak ones may lead to no row. A view removes those of properties
 * that it hides or reads otherwise, but such a property is still written: by its default, if it is hidden.
 */
function referencesOf({ catalog }: BindContext, { entity }: RowSource): readonly Relation[] {
  return (catalog.unrestricted.entity(entity.name)?.relations ?? []).filter((relation) => {
    const isVisible = catalog.entity(relation.entity) !== undefined;
    return !relation.weak && !isHeldByOther(catalog, entity, relation) && isVisible;
  });
}
