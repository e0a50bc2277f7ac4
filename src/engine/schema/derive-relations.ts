/**
 * The relations of the domain: checks declared relations, adds the inverse ones that `target` asks for,
 * and records for each entity which others refer to it.
 */
import type { DeclaredRelation } from './declared.js';
import { present } from './decode-value.js';
import { type DocumentNode, childNode, report } from './document.js';
import { hintAt } from './hint.js';
import { sameNames } from './names.js';
import type { Dependent, Property, PropertyType, Relation, RelationType } from './model.js';

/** An entity on the way: its properties are complete, its relations as declared. */
export interface RelatedEntity {
  readonly name: string;
  readonly properties: ReadonlyMap<string, Property>;
  readonly declared: readonly DeclaredRelation[];
  /** Filled here: first the declared ones, then the inverse ones. */
  readonly relations: Map<string, Relation>;
  readonly dependents: Dependent[];
}

/** Fills the relations and dependents of all entities. */
export function deriveRelations(entities: ReadonlyMap<string, RelatedEntity>): void {
  const sound = [...entities.values()].flatMap((entity) =>
    entity.declared.flatMap((declared) => {
      const target = checkRelation(entity, declared, entities);
      if (!target) return [];
      addRelation({ owner: entity, target, relation: completeRelation(entity, declared) });
      return { entity, declared, target };
    }),
  );
  for (const { entity, declared, target } of sound) addInverse(entity, declared, target);
}

/** Whether the name of an entity says that it is a part of another: `<Parent>.<child>`. */
function isPartOf(child: string, parent: string): boolean {
  return child.lastIndexOf('.') === parent.length && child.startsWith(parent);
}

function checkRelation(
  entity: RelatedEntity,
  declared: DeclaredRelation,
  entities: ReadonlyMap<string, RelatedEntity>,
): RelatedEntity | undefined {
  const { name, node } = declared;
  if (entity.properties.has(name)) {
    report(childNode(node, 'name'), `'${entity.name}' has a property '${name}' already.`);
  }
  const target = entities.get(declared.entity);
  if (!target) {
    const hint = hintAt(node, declared.entity, entities.keys());
    report(childNode(node, 'entity'), `There is no entity '${declared.entity}'.`, hint);
  }
  const from = findProperties(childNode(node, 'from'), entity, declared.from);
  const to = target && findProperties(childNode(node, 'to'), target, declared.to);
  if (!from || !to) return undefined;
  if (from.length !== to.length) {
    report(node, `'from' names ${from.length} properties, and 'to' ${to.length}.`);
    return undefined;
  }
  for (const [index, start] of from.entries()) {
    const end = to[index];
    if (!end || agree(start.type, end.type)) continue;
    report(
      node,
      `'${entity.name}.${start.name}' is of type ${start.type}, '${target.name}.${end.name}' of ` +
        `type ${end.type}; the two ends of a relation must be of one type.`,
    );
  }
  return target;
}

/** The properties of these names; undefined where one of them is missing. */
function findProperties(
  node: DocumentNode,
  { name: entity, properties }: RelatedEntity,
  names: readonly string[],
): readonly Property[] | undefined {
  const found = names.flatMap((name) => {
    const property = properties.get(name);
    if (property) return property;
    const hint = hintAt(node, name, properties.keys());
    report(node, `There is no property '${name}' in '${entity}'.`, hint);
    return [];
  });
  return found.length === names.length ? found : undefined;
}

const numeric: ReadonlySet<PropertyType> = new Set(['integer', 'decimal', 'number']);

function agree(one: PropertyType, other: PropertyType): boolean {
  if (one === other || one === 'any' || other === 'any') return true;
  return numeric.has(one) && numeric.has(other);
}

function completeRelation(entity: RelatedEntity, declared: DeclaredRelation): Relation {
  const { name, type, from, to, target, weak } = declared;
  const composite = declared.composite ?? isPartOf(declared.entity, entity.name);
  return {
    name,
    type,
    from,
    entity: declared.entity,
    to,
    ...present({ target }),
    weak,
    ...(type === 'manyToOne' && { composite }),
  };
}

const inverseTypes = {
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  oneToOne: 'oneToOne',
} as const satisfies Record<RelationType, RelationType>;

function addInverse(
  entity: RelatedEntity,
  declared: DeclaredRelation,
  target: RelatedEntity,
): void {
  const name = declared.target;
  if (name === undefined) return;
  const type = inverseTypes[declared.type];
  const composite = declared.targetComposite ?? isPartOf(entity.name, target.name);
  const relation: Relation = {
    name,
    type,
    from: declared.to,
    entity: entity.name,
    to: declared.from,
    target: declared.name,
    weak: declared.weak,
    ...(type === 'manyToOne' && { composite }),
    isInverse: true,
  };
  const node = childNode(declared.node, 'target');
  const taken = target.relations.get(name);
  if (target.properties.has(name)) {
    report(node, `'${target.name}' has a property '${name}' already.`);
  } else if (!taken) {
    addRelation({ owner: target, target: entity, relation });
  } else if (!isSameLink(taken, relation)) {
    report(node, `'${target.name}' has another relation '${name}' already.`);
  }
}

/** Both sides may be declared: then the inverse one is there already. */
function isSameLink(one: Relation, other: Relation): boolean {
  return (
    one.entity === other.entity && sameNames(one.from, other.from) && sameNames(one.to, other.to)
  );
}

interface Link {
  readonly owner: RelatedEntity;
  readonly target: RelatedEntity;
  readonly relation: Relation;
}

function addRelation({ owner, target, relation }: Link): void {
  const { name, type, isInverse } = relation;
  owner.relations.set(name, relation);
  // The reference is where the foreign key is: of oneToOne, on the side that declares it.
  const references = type === 'oneToMany' || (type === 'oneToOne' && !isInverse);
  if (references) target.dependents.push({ entity: owner.name, relation });
}
