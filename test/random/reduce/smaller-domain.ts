/** Reduces a domain to what a query needs: the entities, properties and relations that it names. */
import type { WorldPlan } from '../drive/world.js';
import type { Entity } from '../world/domain.js';

/** The plan without what the text does not name, except keys. */
export function smallerDomain({ domain, tables }: WorldPlan, text: string): WorldPlan {
  const words = new Set(text.match(/\w+/g) ?? []);
  const isNamed = (entity: Entity) => text.includes(entity.name);
  const needed = new Set(domain.entities.filter(isNamed).map(({ name }) => name));
  for (let before = -1; before < needed.size; ) {
    before = needed.size;
    for (const { name, relations } of domain.entities) {
      if (!needed.has(name)) continue;
      for (const relation of relations) if (words.has(relation.name)) needed.add(relation.entity);
    }
  }
  const entities = domain.entities
    .filter(({ name }) => needed.has(name))
    .map((entity) => smaller(entity, needed));
  const rows = entities.map(({ name }) => [name, tables.get(name) ?? []] as const);
  return { domain: { entities }, tables: new Map(rows) };
}

/** Removes relations to removed entities. Properties stay, because the rows have them. */
function smaller(entity: Entity, needed: ReadonlySet<string>): Entity {
  return { ...entity, relations: entity.relations.filter((each) => needed.has(each.entity)) };
}
