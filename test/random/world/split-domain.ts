/** Moves some entities to a second database. */
import type { Random } from '../random.js';
import type { Domain } from './domain.js';

/** The names of the entities that are moved; relations between the databases are weak. */
export function splitDomain(
  random: Random,
  { entities }: Domain,
): { readonly domain: Domain; readonly moved: readonly string[] } {
  const names = entities.map(({ name }) => name);
  const moved = random.some(names, 1 + random.below(Math.max(1, names.length - 1)));
  const domain = {
    entities: entities.map((entity) => ({
      ...entity,
      relations: entity.relations.map((relation) => {
        const isBetween = moved.includes(entity.name) !== moved.includes(relation.entity);
        return isBetween ? { ...relation, isWeak: true } : relation;
      }),
    })),
  };
  return { domain, moved };
}

/** The domain without relations between the databases, which an expression of a view cannot follow. */
export function withinDatabases({ entities }: Domain, moved: readonly string[]): Domain {
  const isMoved = (name: string) => moved.includes(name);
  return {
    entities: entities.map((entity) => ({
      ...entity,
      relations: entity.relations.filter(({ entity: other, through }) =>
        [other, ...(through ? [through.entity] : [])].every(
          (name) => isMoved(name) === isMoved(entity.name),
        ),
      ),
    })),
  };
}
