/**
 * Derives the relations of the domain: checks declared relations, adds the inverse ones that
 * `target` names, and records for each entity which others refer to it.
 */
import type { DeclaredRelation } from './declared.js';
import { present } from './decode-value.js';
import { type DocumentNode, childNode, report } from './document.js';
import { checkName } from './hint.js';
import { sameNames } from './names.js';
import type {
  Dependent,
  Property,
  PropertyType,
  Relation,
  RelationType,
  Through,
} from './model.js';

/** An entity in progress: its properties are complete, its relations as declared. */
export interface RelatedEntity {
  readonly name: string;
  readonly properties: ReadonlyMap<string, Property>;
  readonly declared: readonly DeclaredRelation[];
  /** Filled here, first with declared relations, then with inverse ones. */
  readonly relations: Map<string, Relation>;
  readonly dependents: Dependent[];
}

/** Fills in the relations and dependents of all entities. */
export function deriveRelations(entities: ReadonlyMap<string, RelatedEntity>): void {
  const sound = [...entities.values()].flatMap((entity) =>
    entity.declared.flatMap((declared) => {
      const target = checkRelation(entity, declared, entities);
      if (!target) return [];
      addRelation(entity, target, completeRelation(entity, declared));
      return { entity, declared, target };
    }),
  );
  for (const { entity, declared, target } of sound) addInverse(entity, declared, target);
}

/** Whether the name of an entity makes it a part of another: `<Parent>.<child>`. */
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
    report(childNode(node, 'name'), `'${entity.name}' already has a property '${name}'.`);
  }
  const target = entities.get(declared.entity);
  checkName(childNode(node, 'entity'), { what: 'entity', name: declared.entity, known: entities });
  const from = findProperties(childNode(node, 'from'), entity, declared.from);
  const to = target && findProperties(childNode(node, 'to'), target, declared.to);
  if (!from || !to) return undefined;
  const [start, end] = [
    { name: entity.name, properties: from },
    { name: target.name, properties: to },
  ];
  const { through } = declared;
  const isSound = through
    ? checkThrough(childNode(node, 'through'), through, [start, end], entities)
    : checkEnds(node, start, end);
  return isSound ? target : undefined;
}

/** An end of a link between rows. */
interface End {
  readonly name: string;
  readonly properties: readonly Property[];
}

function checkThrough(
  node: DocumentNode,
  through: Through,
  [start, end]: readonly [End, End],
  entities: ReadonlyMap<string, RelatedEntity>,
): boolean {
  const table = entities.get(through.entity);
  checkName(childNode(node, 'entity'), { what: 'entity', name: through.entity, known: entities });
  if (!table) return false;
  const { name } = table;
  const from = findProperties(childNode(node, 'from'), table, through.from);
  const to = findProperties(childNode(node, 'to'), table, through.to);
  if (!from || !to) return false;
  return (
    checkEnds(node, start, { name, properties: from }) &&
    checkEnds(node, { name, properties: to }, end)
  );
}

/**
 * Reports ends that cannot be compared, and returns whether both have the same number of properties.
 */
function checkEnds(node: DocumentNode, one: End, other: End): boolean {
  const [from, to] = [one.properties, other.properties];
  if (from.length !== to.length) {
    report(node, `'from' names ${from.length} properties, and 'to' ${to.length}.`);
    return false;
  }
  for (const [index, start] of from.entries()) {
    const end = to[index];
    if (!end || areComparable(start.type, end.type)) continue;
    report(
      node,
      `'${one.name}.${start.name}' is of type ${start.type}, '${other.name}.${end.name}' of ` +
        `type ${end.type}; the two ends of a relation must have the same type.`,
    );
  }
  return true;
}

/** The properties of these names; undefined where one of them is missing. */
function findProperties(
  node: DocumentNode,
  { name: entity, properties }: RelatedEntity,
  names: readonly string[],
): readonly Property[] | undefined {
  const found = names.flatMap((name) => {
    checkName(node, { what: 'property', name, known: properties, owner: entity });
    return properties.get(name) ?? [];
  });
  return found.length === names.length ? found : undefined;
}

const numeric: ReadonlySet<PropertyType> = new Set(['integer', 'decimal', 'number']);

/** Whether the two ends of a relation may have these types. */
export function areComparable(one: PropertyType, other: PropertyType): boolean {
  if (one === other || one === 'any' || other === 'any') return true;
  return numeric.has(one) && numeric.has(other);
}

function completeRelation(entity: RelatedEntity, declared: DeclaredRelation): Relation {
  const { name, type, from, to, through, target, weak } = declared;
  const composite = declared.composite ?? isPartOf(declared.entity, entity.name);
  return {
    name,
    type,
    from,
    entity: declared.entity,
    to,
    ...present({ through, target }),
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
  const { through } = declared;
  const type = through ? declared.type : inverseTypes[declared.type];
  const composite = declared.targetComposite ?? isPartOf(entity.name, target.name);
  const relation: Relation = {
    name,
    type,
    from: declared.to,
    entity: entity.name,
    to: declared.from,
    ...(through && { through: { ...through, from: through.to, to: through.from } }),
    target: declared.name,
    weak: declared.weak,
    ...(type === 'manyToOne' && { composite }),
    isInverse: true,
  };
  const node = childNode(declared.node, 'target');
  const taken = target.relations.get(name);
  if (target.properties.has(name)) {
    report(node, `'${target.name}' already has a property '${name}'.`);
  } else if (!taken) {
    addRelation(target, entity, relation);
  } else if (!isSameLink(taken, relation)) {
    report(node, `'${target.name}' already has another relation '${name}'.`);
  }
}

/** If both sides are declared, the inverse relation exists already. */
function isSameLink(one: Relation, other: Relation): boolean {
  const { through } = one;
  if (!through || !other.through) return through === other.through && hasSameEnds(one, other);
  return hasSameEnds(one, other) && hasSameEnds(through, other.through);
}

function hasSameEnds(one: Through, other: Through): boolean {
  return (
    one.entity === other.entity && sameNames(one.from, other.from) && sameNames(one.to, other.to)
  );
}

function addRelation(owner: RelatedEntity, target: RelatedEntity, relation: Relation): void {
  const { name, type, isInverse } = relation;
  owner.relations.set(name, relation);
  // The reference is on the side of the foreign key; for oneToOne, on the side that declares it.
  const references = type === 'oneToMany' || (type === 'oneToOne' && !isInverse);
  if (references) target.dependents.push({ entity: owner.name, relation });
}
