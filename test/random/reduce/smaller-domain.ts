/** Reduces a domain to what a query needs: the entities, properties and relations that it names. */
import type { WorldPlan } from '../drive/world.js';
import type { Entity, Relation } from '../world/domain.js';

/** The plan without what the text does not name, except keys. */
export function smallerDomain({ domain, tables }: WorldPlan, text: string): WorldPlan {
  const words = new Set(text.match(/\w+/g) ?? []);
  const isNamed = (entity: Entity) => text.includes(entity.name);
  const needed = new Set(domain.entities.filter(isNamed).map(({ name }) => name));
  for (let before = -1; before < needed.size; ) {
    before = needed.size;
    for (const { name, relations } of domain.entities) {
      if (!needed.has(name)) continue;
      for (const relation of relations.filter((each) => words.has(each.name))) {
        for (const each of endsOf(relation)) needed.add(each);
      }
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
  const relations = entity.relations.filter((each) => endsOf(each).every((end) => needed.has(end)));
  return { ...entity, relations };
}

/** The entities to which a relation leads. */
function endsOf({ entity, through }: Relation): readonly string[] {
  return through ? [entity, through.entity] : [entity];
}
