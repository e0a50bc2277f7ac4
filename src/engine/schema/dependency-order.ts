/** Sorts what depends on each other: entities that are inserted, and defaults that read other values. */
import type { Entity } from './model.js';

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
    const dependents = entityOf(relation.entity)?.dependents ?? [];
    const isReference = dependents.some(
      (dependent) => dependent.entity === entity.name && dependent.relation.name === relation.name,
    );
    return isReference ? [relation.entity] : [];
  });
}
