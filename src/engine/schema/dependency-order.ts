/** Sorts what depends on each other: entities that are inserted, and defaults that read other values. */
import type { Entity, Relation } from './model.js';

/**
 * Sorts items so that each one follows those that its `references` name. Apart from that, and in
 * cycles, the given order is kept.
 */
export function dependencyOrder<Item extends { readonly name: string }>(
  items: readonly Item[],
  references: (item: Item) => readonly string[],
): readonly Item[] {
  const byName = new Map(items.map((item) => [item.name, item]));
  const ordered = new Set<Item>();
  const visited = new Set<Item>();
  const visit = (item: Item): void => {
    if (visited.has(item)) return;
    visited.add(item);
    for (const name of references(item)) {
      const target = byName.get(name);
      if (target) visit(target);
    }
    ordered.add(item);
  };
  items.forEach(visit);
  return [...ordered];
}

/** The names of the entities that an entity's enforced foreign keys refer to, or also its weak relations. */
export function referencesOf(
  entity: Entity,
  entityOf: (name: string) => Entity | undefined,
  withWeak = false,
) {
  return entity.relations.flatMap((relation) => {
    if ((relation.weak && !withWeak) || relation.type === 'manyToOne') return [];
    return isReference(entity, relation, entityOf(relation.entity)) ? [relation.entity] : [];
  });
}

/** Whether the owner of a relation has its foreign key, so that the target lists it as a dependent. */
function isReference(owner: Entity, { name }: Relation, target: Entity | undefined) {
  const dependents = target?.dependents ?? [];
  return dependents.some((each) => each.entity === owner.name && each.relation.name === name);
}
